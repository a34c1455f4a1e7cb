import { readFile } from 'node:fs/promises';
import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router';
import { createClient } from '#client/client.ts';
import { paths } from '#contract/paths.ts';
import type { PracticesPage } from '#contract/practices/page.ts';
import { practiceIdIn } from '#contract/practices/path.ts';
import { fieldsWithDefault } from '#contract/site/complete.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import type { DocumentContent, DocumentTemplate, PageFacts, RenderedPage } from '#contract/site/document.ts';
import { hasFees } from '#contract/site/fees.ts';
import { paintMural } from '../components/art/draw-mural.ts';
import { PainterProvider } from '../components/art/mural.tsx';
import { Loading } from '../components/layout/messages.tsx';
import { hydrationDataId } from './hydration-data.ts';
import { createRoutes } from './routes/routes.tsx';
import type { Services } from './services.ts';
import { ServicesProvider, servicesContext } from './services-context.ts';
import { createSessionStore } from './session.ts';
import { dataBlock, shareTags, structuredData } from './share-tags.ts';
import { createSiteContent, documentContentId } from './site-content.ts';

export { drawPoster } from './share-poster.tsx';

/** The practices of an empty library. */
const noPractices: PracticesPage = { practices: [], page: 1, pages: 1, chosen: 0, total: 0, untimed: 0 };

/** Renders the HTML document of a public page. */
export async function renderPage(path: string, facts: PageFacts): Promise<RenderedPage> {
  const { content, site, practices = noPractices, night = [], practicePage } = facts;
  const practiceId = practiceIdIn(path);
  // The loaders call this client, as in a browser. Its `fetch` returns the data in `facts`, and no session.
  const bodies: Record<string, unknown> = {
    [paths.auth.session]: null,
    [paths.auth.methods]: { google: site.google },
    [paths.documents.nightPractices]: { documents: night },
    ...(practiceId !== undefined && { [paths.documents.practicePage(practiceId)]: practicePage }),
    [paths.documents.practices]: practices,
  };
  const client = createClient({
    fetch: async (url) => Response.json(bodies[String(url).replace(/\?.*/, '')]),
  });
  const all = createSiteContent(site, content);
  const shown = new Set<SectionName>();
  const services: Services = {
    client,
    session: createSessionStore(client),
    content: {
      ...all,
      get(section) {
        shown.add(section);
        return all.get(section);
      },
    },
  };
  const { basename = '' } = site;
  const handler = createStaticHandler(createRoutes(services), { basename: basename || '/' });
  const context = await handler.query(new Request(new URL(basename + path, 'http://localhost')), {
    requestContext: new RouterContextProvider(new Map([[servicesContext, services]])),
  });
  if (context instanceof Response) throw new Error(`${path} returned ${context.status} instead of a page`);
  for (const error of Object.values(context.errors ?? {})) throw error;

  const rendered = renderToString(
    <ServicesProvider value={services}>
      <PainterProvider value={paintMural}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </PainterProvider>
    </ServicesProvider>,
  );
  // Every route needs loader data. Without it, React Router hydrates a route only after its guard has passed.
  const nothingFor = Object.fromEntries(context.matches.map(({ route }) => [route.id, null]));
  const [head = ''] = rendered.match(hoisted) ?? [];
  return fill(facts, {
    path,
    head: head + shareTags(head, facts) + structuredData(path, facts),
    page: rendered.slice(head.length),
    sections:
      facts.site.basename === undefined
        ? Object.fromEntries([...shown].map((name) => [name, content[name]]))
        : content,
    loaderData: { ...nothingFor, ...context.loaderData },
    routeIds: context.matches.map(({ route }) => route.id),
  });
}

/** Renders the document for pages without prerendered content, for example for the admin area. */
export function renderLoadingPage(facts: PageFacts): Promise<RenderedPage> {
  const name = renderToString(<title>{facts.content.identity.shortName}</title>);
  return fill(facts, {
    head: `${name}<meta name="robots" content="noindex">`,
    page: renderToString(<Loading />),
    sections: facts.site.basename === undefined ? { identity: facts.content.identity } : facts.content,
    routeIds: [],
  });
}

/** Matches the title, meta and link tags. React renders them before the page, but they belong in the head. */
const hoisted = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

type PageParts = {
  head: string;
  page: string;
  routeIds: string[];
  sections: Partial<SiteContent>;
  /** The path and the loader data of a page that the server renders. */
  path?: string;
  loaderData?: unknown;
};

/** Inserts a page into the template that the build makes for HTML documents. */
async function fill({ content, version, site }: PageFacts, parts: PageParts): Promise<RenderedPage> {
  const template = await readTemplate();
  // The styles of the whole site come first, because they set the order of the cascade layers.
  const files = [...template.siteStyles, ...parts.routeIds.flatMap((id) => template.styles[id] ?? [])];
  const links = files.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`).join('');
  const documentContent: DocumentContent = {
    version,
    fields: fieldsWithDefault,
    site,
    hasFees: hasFees(content.home.fees),
    sections: parts.sections,
  };
  const data = dataBlock('application/json', documentContent, documentContentId);
  // Pass functions, because `$` has a special meaning in a replacement string.
  const finish = (html: string, styles: string, loaderData = '') =>
    html
      .replace('<!--head-->', () => parts.head)
      .replace('</head>', () => `${styles}</head>`)
      .replace('<!--page-->', () => parts.page)
      .replace('<!--data-->', () => data + loaderData);
  if (parts.path === undefined) return { html: finish(template.html, links) };

  const loaderData = dataBlock('application/json', { loaderData: parts.loaderData }, hydrationDataId);
  const scriptHash = template.startScript.hash;
  const style = template.inlineStyles[parts.path];
  if (!style) return { html: finish(template.prerenderedHtml, links, loaderData), scriptHash };
  const late = files.map((file) => `/${file}`).join(' ');
  const html = template.prerenderedHtml.replace(' data-files="', () => ` data-styles="${late}" data-files="`);
  return {
    html: finish(html, `<style>${style.code}</style>`, loaderData),
    scriptHash,
    styleHash: style.hash,
  };
}

async function readTemplate(): Promise<DocumentTemplate> {
  return JSON.parse(await readFile(new URL('./document.json', import.meta.url), 'utf8'));
}
