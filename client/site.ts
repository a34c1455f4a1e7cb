import { paths } from '#contract/paths.ts';
import type { SiteContent } from '#contract/site-content.ts';
import type { Send } from './http.ts';

export function createSiteClient(send: Send) {
  return {
    /**
     * Reads the published content of the site. The server has checked it.
     * @param version of the content; without one, the newest
     */
    async getContent(version?: number): Promise<SiteContent> {
      const response = await send(paths.site.content(version));
      return ((await response.json()) as { content: SiteContent }).content;
    },
  };
}
