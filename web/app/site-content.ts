import { hasCode, isAway } from '#client/client-error.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import type { DocumentContent, SiteFacts } from '#contract/site/document.ts';
import { menuOf, type SiteMenu } from '#contract/site/menu.ts';
import { getContent } from './api.ts';

/** The site content, in the version from which the server rendered this HTML document. */
export type SiteContentStore = {
  site: SiteFacts;
  menu: SiteMenu;
  /** Loads all sections if one of these sections is not loaded yet. @throws ClientError */
  load(...sections: SectionName[]): Promise<void>;
  /** Returns a section that the HTML document contains or that `load` has loaded. */
  get<Name extends SectionName>(section: Name): SiteContent[Name];
};

/** The id of the element with the content in the HTML document. */
export const documentContentId = 'content';

/**
 * Creates the store from the sections in this HTML document. Other sections load when a page needs them.
 * @param findKept finds the sections that this device has kept for use without network
 */
export async function openSiteContent(
  findKept: () => Promise<SiteContent | undefined>,
): Promise<SiteContentStore> {
  const text = document.getElementById(documentContentId)?.textContent;
  // In development, Vite serves the HTML document, which contains no content.
  if (import.meta.env.DEV && !text)
    return createSiteContent({ origin: window.location.origin, google: false }, await getContent());
  const given = JSON.parse(text ?? '') as DocumentContent;
  const { version, fields, site, sections } = given;
  const content = createSiteContent(site, sections, () =>
    getContent(version, fields).catch(async (error: unknown) => {
      // Older versions are no longer public.
      if (hasCode(error, 'request/not-found')) return getContent();
      const kept = isAway(error) ? await findKept() : undefined;
      if (kept) return kept;
      throw error;
    }),
  );
  return { ...content, menu: given.menu };
}

/** @param read reads all sections; without it, `sections` must contain every section that the pages show */
export function createSiteContent(
  site: SiteFacts,
  sections: Partial<SiteContent>,
  read?: () => Promise<SiteContent>,
): SiteContentStore {
  const known: Partial<SiteContent> = { ...sections };
  const { home, questions } = sections;
  return {
    site,
    menu:
      home && questions
        ? menuOf({ home, questions }, true)
        : { doctor: false, fees: false, questions: false, newsletter: false, night: true },
    async load(...names) {
      if (read && names.some((name) => !known[name])) Object.assign(known, await read());
    },
    get<Name extends SectionName>(name: Name) {
      const section: SiteContent[Name] | undefined = known[name];
      if (!section) throw new Error(`The section ${name} is not loaded.`);
      return section;
    },
  };
}

/** The id of the element with the loader data. Only prerendered pages have this element. */
export const hydrationDataId = 'hydration-data';
