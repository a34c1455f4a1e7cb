import type { FastifyRequest } from 'fastify';
import type { Activity } from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { type PracticeChoice, practiceChoiceIn, practicesPath } from '#contract/practices/choice.ts';
import type { NightPractice, PracticePage } from '#contract/practices/page.ts';
import type { PageFacts } from '#contract/site/document.ts';
import { queryOf } from '../http/request-path.ts';
import type { BuiltSite } from './built-site.ts';
import type { PublishedContent } from './content.ts';
import type { CachedDocument } from './document.ts';
import { createPageCache } from './page-cache.ts';
import type { SitePage } from './pages.ts';

/** Functions that read the parts of the library that the pages show: only public activities. */
export type PracticesLibrary = {
  /** A number that changes with every change of the library. */
  getVersion(): Promise<number>;
  readList(list: ListName): Promise<{ activities: Activity[] }>;
  readNight(): Promise<NightPractice[]>;
  readPage(id: string): Promise<PracticePage>;
  listAll(): Promise<Pick<Activity, 'id' | 'title' | 'updatedAt'>[]>;
};

type RenderedPagesOptions = {
  loadRenderer: BuiltSite['loadRenderer'];
  library: PracticesLibrary;
  publicUrl: string;
  google: boolean;
};

/** All missing practices share the page at this path, because the page does not depend on their ids. */
const missingPath = '/practices/-';

/**
 * Renders the pages for readers without JavaScript and for search engines. A page is rendered at its first
 * request. It is rendered again only after a change of the content, or of the library if the page shows
 * practices. The caller reads the content and passes it, because the caller uses the content, too.
 */
export function createRenderedPages({ loadRenderer, library, publicUrl, google }: RenderedPagesOptions) {
  const pages = createPageCache();

  const factsOf = (published: PublishedContent): PageFacts => ({ ...published, origin: publicUrl, google });

  /** Reads the page's facts, and the versions of the content and the library, from which it is rendered. */
  async function readVersions(content: Promise<PublishedContent>) {
    const [published, version] = await Promise.all([content, library.getVersion()]);
    return { facts: factsOf(published), versions: `${published.version} ${version}` };
  }

  return {
    async page({ path }: SitePage, content: Promise<PublishedContent>): Promise<CachedDocument> {
      const facts = factsOf(await content);
      return pages.read(path ?? '', String(facts.version), async () => {
        const renderer = await loadRenderer();
        return path === undefined ? renderer.renderLoadingPage(facts) : renderer.renderPage(path, facts);
      });
    },

    /** Returns the page /practices with the activities that the visitor has chosen. */
    async practices(choice: PracticeChoice, content: Promise<PublishedContent>): Promise<CachedDocument> {
      const path = practicesPath(choice);
      const { facts, versions } = await readVersions(content);
      return pages.read(path, versions, async () => {
        const { renderPage } = await loadRenderer();
        return renderPage(path, { ...facts, ...(await readPractices(library, choice)) });
      });
    },

    async practice(
      id: string,
      content: Promise<PublishedContent>,
    ): Promise<{ document: CachedDocument; status: number }> {
      const { facts, versions } = await readVersions(content);
      const path = `/practices/${id}`;
      const known = pages.find(path, versions);
      if (known) return { document: await known, status: 200 };
      const practicePage = await library.readPage(id);
      const { practice, deleted, others } = practicePage;
      const key = practice ? path : `${missingPath} ${deleted} ${others.map((other) => other.id)}`;
      const document = await pages.read(key, versions, async () => {
        const { renderPage } = await loadRenderer();
        return renderPage(practice ? path : missingPath, { ...facts, practicePage });
      });
      return { document, status: statusOf(practicePage) };
    },
  };
}

/** Reads the parts of the library that /practices shows. */
export async function readPractices(
  library: PracticesLibrary,
  { axis }: PracticeChoice,
): Promise<Pick<Required<PageFacts>, 'activities' | 'night'>> {
  const [{ activities }, night] = await Promise.all([library.readList(listOf(axis)), library.readNight()]);
  return { activities, night };
}

/** The status of the page of a practice: 410 if the practice was deleted, 404 if it never existed. */
export const statusOf = ({ practice, deleted }: PracticePage) => (practice ? 200 : deleted ? 410 : 404);

/** Returns the choice of practices in the URL of a request for /practices. */
export const choiceIn = ({ url }: FastifyRequest) => practiceChoiceIn(new URLSearchParams(queryOf(url)));
