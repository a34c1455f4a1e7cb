import { paths } from '#contract/paths.ts';
import type { SiteContent } from '#contract/site/content.ts';
import type { Send } from './http.ts';

/**
 * Creates a function that reads the published content of the site. The server has checked it.
 * Its parameter is the version; without one, it reads the newest.
 */
export function createGetContent(send: Send) {
  return async (version?: number): Promise<SiteContent> => {
    const response = await send(paths.site.content(version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
