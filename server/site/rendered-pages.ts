import type { FastifyRequest } from 'fastify';
import type { Activity } from '#contract/activity.ts';
import { issuePath, type PublicIssue } from '#contract/newsletter.ts';
import {
  isDefaultChoice,
  type PracticeChoice,
  practiceChoiceIn,
  practicesPath,
} from '#contract/practices/choice.ts';
import type { Need } from '#contract/practices/needs.ts';
import { isLate } from '#contract/practices/night.ts';
import type { NightPractice, PracticePage, PracticesPage } from '#contract/practices/page.ts';
import type { PageFacts, PageRenderer, RenderedPage } from '#contract/site/document.ts';
import { createTurns, withTimeout } from '../concurrency.ts';
import type { ReadVersions } from '../database/versions.ts';
import { AppError } from '../http/errors.ts';
import { queryOf } from '../http/parse.ts';
import { contentSecurityPolicy } from '../http/plugins/protection.ts';
import type { BuiltSite } from './built-site.ts';
import { type CachedDocument, createCachedDocument, createPackedDocument } from './document.ts';
import type { SitePage } from './pages.ts';

/** Functions that read what the pages show besides the site content: public activities and sent issues. */
export type PracticesLibrary = {
  readVersions: ReadVersions;
  readPage(choice: PracticeChoice, needs: readonly Need[]): Promise<PracticesPage>;
  readNight(): Promise<NightPractice[]>;
  readPractice(id: string): Promise<PracticePage>;
  /** @throws AppError `documents/not-found` */
  readIssue(timeZone: string, id: string): Promise<PublicIssue>;
  count(): Promise<number>;
  listPart(part: { first: number; count: number }): Promise<Pick<Activity, 'id' | 'title' | 'updatedAt'>[]>;
};

/** The texts from which pages are rendered: the published content, or the draft of a preview. */
export type Edition = {
  /** Changes with every change of the texts. */
  tag: string;
  readFacts(): Promise<PageFacts>;
  /** The path of a preview, and when its link ends, in epoch milliseconds. */
  preview?: { basename: string; until: number };
};

/** `caching` is absent if caches may keep the page, and must revalidate it. */
type FoundPage = { document: CachedDocument; status: number; caching?: 'no-store' } | { redirect: string };

/** All missing practices share the page at this path, because the page does not depend on their ids. */
const missingPath = '/practices/-';

/** Limits of the pages whose number grows with the library or with previews, all together. */
const growingPages = { mostPages: 2_000, mostBytes: 32_000_000 };
/** The other pages are few, so all of them stay in memory. */
const fewPages = { mostPages: Number.POSITIVE_INFINITY, mostBytes: Number.POSITIVE_INFINITY };
/** A rendering takes tens of milliseconds, so a full queue is empty in about a second. */
const renderings = { atOnce: 2, mostWaiting: 32, waitMs: 3_000 };
/** The longest wait for the practices for the night, which decide about an entry of the menu. */
const nightTimeoutMs = 1_000;

/**
 * Renders the pages for readers without JavaScript and for search engines. A page is rendered at its first
 * request. It is rendered again only after a change of the texts, or of the library if the page shows
 * practices. Whatever visitors request, few pages are rendered at once, and few stay in memory.
 * @param limitSearch counts a search among the practices; throws AppError `auth/too-many-attempts`
 */
export function createRenderedPages(
  loadRenderer: BuiltSite['loadRenderer'],
  library: PracticesLibrary,
  limitSearch: (request: FastifyRequest) => Promise<void>,
) {
  const [growing, few] = [createPageCache(growingPages), createPageCache(fewPages)];
  const inTurn = createTurns(renderings);

  type Render = (renderer: PageRenderer, facts: PageFacts) => Promise<RenderedPage>;

  const keyOf = ({ preview }: Edition, path: string) => `${preview?.basename ?? ''}${path}`;

  const makePage = (edition: Edition, render: Render) =>
    inTurn(async () => {
      const page = await render(await loadRenderer(), await edition.readFacts());
      return createPackedDocument(page.html, htmlType, policyOf(page, edition));
    });

  let lastNight: NightPractice[] = [];
  /** Reads the practices for the night. If the database is away, returns what was read last. */
  async function readNight(): Promise<NightPractice[]> {
    try {
      lastNight = await withTimeout(nightTimeoutMs, library.readNight());
    } catch {}
    return lastNight;
  }

  /** Finds a page that shows practices, or renders it. */
  const readGrowing = (edition: Edition, versions: string, path: string, render: Render) =>
    growing.read(keyOf(edition, path), {
      versions,
      until: edition.preview?.until,
      make: () => makePage(edition, render),
    });

  /** Finds a page without practices, or renders it. Such pages are few, so a flood never refuses them. */
  async function readFixed(reading: Promise<Edition>, path: string, render: Render): Promise<CachedDocument> {
    const [edition, night] = await Promise.all([reading, readNight()]);
    const versions = `${edition.tag} ${night.length > 0}`;
    const withNight: Render = (renderer, facts) => render(renderer, { ...facts, night });
    if (edition.preview) return readGrowing(edition, versions, path, withNight);
    const make = async () => {
      const page = await withNight(await loadRenderer(), await edition.readFacts());
      return createCachedDocument(page.html, htmlType, policyOf(page, edition));
    };
    return few.read(path, { versions, make: () => inTurn(make, { mustRun: true }) });
  }

  /**
   * Returns the page /practices with the activities that the visitor has chosen. No cache keeps the page of a
   * search, because visitors can search for anything.
   */
  async function findPractices(request: FastifyRequest, reading: Promise<Edition>): Promise<FoundPage> {
    const [edition, current] = await Promise.all([reading, library.readVersions()]);
    const { practices: texts, identity } = (await edition.readFacts()).content;
    const choice = practiceChoiceIn(new URLSearchParams(queryOf(request.url)), texts.needs);
    if (choice.search !== '') await limitSearch(request);
    const path = practicesPath(choice);
    // At night, the page begins with the practices for the night.
    const late = isDefaultChoice(choice) && isLate(identity.schedule.timeZone, new Date());
    const versions = `${edition.tag} ${current.library} ${late}`;
    const known = choice.search === '' ? growing.find(keyOf(edition, path), versions) : undefined;
    if (known) return { document: await known, status: 200 };
    const practices = await library.readPage(choice, texts.needs);
    const { page } = practices;
    if (choice.page > page)
      return { redirect: (edition.preview?.basename ?? '') + practicesPath({ ...choice, page }) };
    const render: Render = async ({ renderPage }, facts) =>
      renderPage(path, { ...facts, practices, night: await library.readNight() });
    if (choice.search !== '')
      return { document: await makePage(edition, render), status: 200, caching: 'no-store' };
    return { document: await readGrowing(edition, versions, path, render), status: 200 };
  }

  async function findIssue(id: string, reading: Promise<Edition>): Promise<FoundPage> {
    const edition = await reading;
    const { identity } = (await edition.readFacts()).content;
    const issue = await library.readIssue(identity.schedule.timeZone, id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'documents/not-found') return undefined;
      throw error;
    });
    // All missing issues share the page of one path.
    const path = issuePath(issue ? id : '-');
    const night = await readNight();
    const versions = `${edition.tag} ${issue?.indexed} ${night.length > 0}`;
    const document = await readGrowing(edition, versions, path, ({ renderPage }, facts) =>
      renderPage(path, { ...facts, night, ...(issue && { issue }) }),
    );
    return { document, status: issue ? 200 : 404 };
  }

  async function findPractice(id: string, reading: Promise<Edition>): Promise<FoundPage> {
    const [edition, current] = await Promise.all([reading, library.readVersions()]);
    const path = `/practices/${id}`;
    const versions = `${edition.tag} ${current.library}`;
    const known = growing.find(keyOf(edition, path), versions);
    if (known) return { document: await known, status: 200 };
    const [practicePage, night] = await Promise.all([library.readPractice(id), library.readNight()]);
    const { practice, deleted, others } = practicePage;
    const key = practice ? path : `${missingPath} ${deleted} ${others.map((other) => other.id)}`;
    const document = await readGrowing(edition, versions, key, ({ renderPage }, facts) =>
      renderPage(practice ? path : missingPath, { ...facts, night, practicePage }),
    );
    return { document, status: practice ? 200 : deleted ? 410 : 404 };
  }

  return {
    /** Finds the page at a URL, or another URL that the visitor should open. */
    async find(page: SitePage, request: FastifyRequest, reading: Promise<Edition>): Promise<FoundPage> {
      if (page.practiceId !== undefined) return findPractice(page.practiceId, reading);
      if (page.issueId !== undefined) return findIssue(page.issueId, reading);
      if (page.path === '/practices') return findPractices(request, reading);
      const { path, status } = page;
      const document = await readFixed(reading, path ?? '', (renderer, facts) =>
        path === undefined ? renderer.renderLoadingPage(facts) : renderer.renderPage(path, facts),
      );
      return { document, status };
    },

    /** Finds another document that grows with the library, or makes it. It shares the limits of the pages. */
    findOther: async (key: string, type: string, make: () => Promise<string>): Promise<CachedDocument> =>
      growing.read(key, {
        versions: String((await library.readVersions()).library),
        make: () => inTurn(async () => createPackedDocument(await make(), type)),
      }),
  };
}

const htmlType = 'text/html; charset=utf-8';

/** The editor shows previews in a frame. */
const policyOf = ({ scriptHash, styleHash }: RenderedPage, { preview }: Edition) =>
  contentSecurityPolicy({
    script: scriptHash,
    style: styleHash,
    ...(preview && { framedBy: "'self'" as const }),
  });

type Limits = {
  /** The maximum number of documents in memory. */
  mostPages: number;
  /** The maximum number of bytes of all documents together. The newest one stays, whatever its size. */
  mostBytes: number;
};

type Entry = {
  /** What the document was made from: versions of the content and the library. */
  versions: string;
  document: Promise<CachedDocument>;
  bytes: number;
  expiry: NodeJS.Timeout | undefined;
};

/**
 * Keeps documents until their versions change. If there are too many, or if they are too large in total, the
 * cache forgets the least recently requested ones.
 */
export function createPageCache({ mostPages, mostBytes }: Limits) {
  /** The least recently used document comes first. */
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function forget(key: string, entry: Entry) {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
    clearTimeout(entry.expiry);
  }

  function forgetOldest(newest: Entry) {
    for (const [key, entry] of entries) {
      if ((entries.size <= mostPages && bytes <= mostBytes) || entry === newest) break;
      forget(key, entry);
    }
  }

  function add(key: string, { versions, make, until }: Wanted): Promise<CachedDocument> {
    const before = entries.get(key);
    if (before) forget(key, before);
    const entry: Entry = { versions, document: make(), bytes: 0, expiry: undefined };
    entries.set(key, entry);
    if (until !== undefined) entry.expiry = setTimeout(() => forget(key, entry), until - Date.now()).unref();
    forgetOldest(entry);
    entry.document.then(
      (document) => {
        if (entries.get(key) !== entry) return;
        entry.bytes = document.bytes;
        bytes += document.bytes;
        forgetOldest(entry);
      },
      // After an error, the next request tries again.
      () => forget(key, entry),
    );
    return entry.document;
  }

  return {
    /** Finds the document, if it was made from these versions. */
    find(key: string, versions: string): Promise<CachedDocument> | undefined {
      const known = entries.get(key);
      if (known?.versions !== versions) return undefined;
      entries.delete(key);
      entries.set(key, known);
      return known.document;
    },

    /** Finds the document, or makes it. Concurrent requests share one making. */
    read(key: string, wanted: Wanted): Promise<CachedDocument> {
      return this.find(key, wanted.versions) ?? add(key, wanted);
    },
  };
}

type Wanted = {
  versions: string;
  make: () => Promise<CachedDocument>;
  /** When the cache must forget the document, in epoch milliseconds. */
  until?: number | undefined;
};
