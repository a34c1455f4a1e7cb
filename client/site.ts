import type { SiteContent } from '#contract/site/content.ts';
import { contentPath } from '#contract/site/content-path.ts';
import type { Send } from './http.ts';

/**
 * Creates a function that reads the published content of the site, which the server has checked. It takes the
 * parameters of `contentPath`; without a version, it reads the newest one.
 */
export function createGetContent(send: Send) {
  return async (...version: Parameters<typeof contentPath>): Promise<SiteContent> => {
    const response = await send(contentPath(...version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
