import type { SiteContent } from '#contract/site/content.ts';
import { contentPath } from '#contract/site/content-path.ts';
import type { Send } from './http.ts';

/**
 * Creates a function that reads the published content of the site. The server has checked it.
 * Its parameters are those of the path; without a version, it reads the newest.
 */
export function createGetContent(send: Send) {
  return async (...version: Parameters<typeof contentPath>): Promise<SiteContent> => {
    const response = await send(contentPath(...version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
