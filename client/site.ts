import type { SiteContent } from '#contract/site/content.ts';
import { contentPath } from '#contract/site/content-path.ts';
import type { Send } from './http.ts';

/**
 * Creates a function that reads the published content of the site. The function does not check the content,
 * because the server has already checked it. The parameters are those of `contentPath`; without them, the
 * function reads the newest version.
 */
export function createGetContent(send: Send) {
  return async (...version: Parameters<typeof contentPath>): Promise<SiteContent> => {
    const response = await send(contentPath(...version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
