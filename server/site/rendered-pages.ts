import type { FastifyRequest } from 'fastify';
import type { Activity } from '#contract/activity.ts';
import { type ListName, listOf, type MainAxis, mainAxisNamed } from '#contract/axes.ts';
import type { PageFacts, RenderedPage } from '#contract/site/document.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import type { BuiltSite } from './built-site.ts';
import type { ContentSource } from './content.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';
import type { SitePage } from './pages.ts';

/** Reads the lists that /practices shows. */
export type PracticesLibrary = {
  getVersion(list: ListName): Promise<number>;
  read(list: ListName): Promise<{ version: number; activities: Activity[] }>;
};

type RenderedPagesOptions = {
  loadRenderer: BuiltSite['loadRenderer'];
  content: ContentSource;
  library: PracticesLibrary;
  publicUrl: string;
  google: boolean;
};

/** Rendered at these versions of the content and of the list. */
type Rendered = { versions: string; document: Promise<CachedDocument> };

/**
 * Renders the pages for readers without JavaScript and for search engines. It renders a page with its first
 * request, and again only when the content, or the list that the page shows, has a new version.
 */
export function createRenderedPages({
  loadRenderer,
  content,
  library,
  publicUrl,
  google,
}: RenderedPagesOptions) {
  const rendered = new Map<string, Rendered>();

  /** Concurrent requests share one rendering. */
  function cached(key: string, versions: string, render: () => Promise<RenderedPage>) {
    const known = rendered.get(key);
    if (known?.versions === versions) return known.document;
    const document = render().then(toDocument);
    rendered.set(key, { versions, document });
    // After an error, the next request tries again.
    document.catch(() => rendered.get(key)?.document === document && rendered.delete(key));
    return document;
  }

  async function readFacts(): Promise<PageFacts> {
    return { ...(await content.read()), origin: publicUrl, google };
  }

  return {
    async page({ path }: SitePage): Promise<CachedDocument> {
      const facts = await readFacts();
      return cached(path ?? '', String(facts.version), async () => {
        const renderer = await loadRenderer();
        return path === undefined ? renderer.renderLoadingPage(facts) : renderer.renderPage(path, facts);
      });
    },

    /** The page with the activities of an axis. */
    async practices(axis: MainAxis): Promise<CachedDocument> {
      const list = listOf(axis);
      const [facts, version] = await Promise.all([readFacts(), library.getVersion(list)]);
      return cached(`/practices ${axis}`, `${facts.version} ${version}`, async () => {
        const [{ renderPage }, { activities }] = await Promise.all([loadRenderer(), library.read(list)]);
        return renderPage(`/practices?eixo=${axis}`, { ...facts, activities });
      });
    },
  };
}

/** The axis that the address of /practices names. */
export function axisIn({ query }: FastifyRequest): MainAxis {
  const { eixo } = query as { eixo?: unknown };
  return mainAxisNamed(typeof eixo === 'string' ? eixo : undefined);
}

const toDocument = ({ html, scriptHash, styleHash }: RenderedPage) =>
  createCachedDocument(
    html,
    'text/html; charset=utf-8',
    contentSecurityPolicy({ script: scriptHash, style: styleHash }),
  );
