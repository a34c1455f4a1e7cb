import { readFile } from 'node:fs/promises';
import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router';
import { createClient } from '#client/client.ts';
import { identity } from '#clinic/identity.ts';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import type { DocumentTemplate, PageFacts, PageRenderer } from '#contract/site.ts';
import { paintMural } from '../components/art/draw-mural.ts';
import { PainterProvider } from '../components/art/mural.tsx';
import { Loading } from '../components/layout/loading.tsx';
import { practicesPath } from '../pages/public/components/practices-path.ts';
import { hydrationDataId } from './hydration-data.ts';
import { createRoutes } from './routes.tsx';
import { ServicesProvider, servicesContext } from './services-context.ts';
import { createSessionStore } from './session.ts';
import { dataBlock, shareTags, structuredData } from './share-tags.ts';

export const renderPractices: PageRenderer['renderPractices'] = (axis, activities) =>
  renderPage(practicesPath(axis), { activities });

/** Renders the HTML document of a page that is prerendered. */
export async function renderPage(
  path: string,
  { activities = [], google = false }: PageFacts = {},
): Promise<string> {
  // Loaders call the client as in a browser. Here its responses contain the given data and no session.
  const bodies: Record<string, unknown> = {
    [paths.auth.session]: null,
    [paths.auth.methods]: { google },
    ...Object.fromEntries(
      listNames.map((list) => [paths.documents.activities(list), { [list]: activities }] as const),
    ),
  };
  const client = createClient({ fetch: async (url) => Response.json(bodies[String(url)]) });
  const services = { client, session: createSessionStore(client) };
  const handler = createStaticHandler(createRoutes(services));
  const context = await handler.query(new Request(new URL(path, 'http://localhost')), {
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
  // Without loader data, React Router would delay the hydration of a route until its guard has passed.
  const nothingFor = Object.fromEntries(context.matches.map(({ route }) => [route.id, null]));
  const [head = ''] = rendered.match(hoisted) ?? [];
  return fill({
    head: head + shareTags(head) + structuredData(path),
    page: rendered.slice(head.length),
    data: dataBlock(
      'application/json',
      { loaderData: { ...nothingFor, ...context.loaderData } },
      hydrationDataId,
    ),
    routeIds: context.matches.map(({ route }) => route.id),
  });
}

/** Renders the document of the pages that only the browser renders, for example the admin area. */
export function renderLoadingPage(): Promise<string> {
  return fill({
    head: `<title>${identity.shortName}</title><meta name="robots" content="noindex">`,
    page: renderToString(<Loading />),
    routeIds: [],
  });
}

/** Matches the title, meta and link tags that React renders first; they belong in the head. */
const hoisted = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

async function fill(content: { head: string; page: string; data?: string; routeIds: string[] }) {
  const { html, prerenderedHtml, styles }: DocumentTemplate = JSON.parse(
    await readFile(new URL('./document.json', import.meta.url), 'utf8'),
  );
  const links = content.routeIds
    .flatMap((id) => styles[id] ?? [])
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)
    .join('');
  // Pass functions, because `$` has a special meaning in a replacement string.
  return (
    (content.data ? prerenderedHtml : html)
      .replace('<!--head-->', () => content.head)
      // Put these links after the styles of the whole site, which set the order of the cascade layers.
      .replace('</head>', () => `${links}</head>`)
      .replace('<!--page-->', () => content.page)
      .replace('<!--data-->', () => content.data ?? '')
  );
}
