import { texts } from '#clinic/texts.ts';
import type { SiteContent } from '#contract/site-content.ts';

/** Published content. A version never changes, except version 0: the sample content of this program. */
export type PublishedContent = { version: number; content: SiteContent };

/** Reads the published content. */
export type ContentSource = { read(): Promise<PublishedContent> };

/** The content of a site whose clinic has not published any. */
export const sampleContent: PublishedContent = { version: 0, content: texts };
