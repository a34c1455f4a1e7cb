import type { SiteContent } from '#contract/site/content.ts';
import { contentPath } from '#contract/site/content-path.ts';
import type { Send } from './http.ts';

/**
 * Creates a function that reads the published site content. The function has the parameters of `contentPath`;
 * without them, it reads the newest version. It does not check the content, because the server has done so.
 */
export function createGetContent(send: Send) {
  return async (...version: Parameters<typeof contentPath>): Promise<SiteContent> => {
    const response = await send(contentPath(...version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
