import type { Client } from '#client/client.ts';
import type { SiteBasics } from '#contract/site.ts';
import type { SiteContent } from '#contract/site-content.ts';

/** The published content of the site. */
export type SiteContentStore = Pick<SiteBasics, 'identity' | 'origin'> & {
  /** Returns the content of this document's version. @throws ClientError */
  load(): Promise<SiteContent>;
};

/** The id of the element with the document's SiteBasics. */
export const siteBasicsId = 'site-basics';

/** Reads the basics from the document, and the rest from the server when a page first needs it. */
export async function openSiteContent(client: Client): Promise<SiteContentStore> {
  const text = document.getElementById(siteBasicsId)?.textContent;
  if (!text) return openInDevelopment(client);
  const { version, origin, identity } = JSON.parse(text) as SiteBasics;
  let loaded: Promise<SiteContent> | undefined;
  return {
    origin,
    identity,
    load() {
      loaded ??= client.site.getContent(version).catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      return loaded;
    },
  };
}

/** In development Vite serves the document, which knows no content. */
async function openInDevelopment(client: Client): Promise<SiteContentStore> {
  const content = await client.site.getContent();
  return { origin: window.location.origin, identity: content.identity, load: async () => content };
}
