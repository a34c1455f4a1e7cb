import { readFile } from 'node:fs/promises';
import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { type Axis, mainAxisOf } from '#contract/axes.ts';
import { errorMessages } from '#contract/errors.ts';
import type { PracticePage, PracticesPage } from '#contract/practices/page.ts';
import { fieldsWithDefault } from '#contract/site/complete.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import type { DocumentContent, DocumentTemplate, PageFacts, RenderedPage } from '#contract/site/document.ts';
import { menuOf } from '#contract/site/menu.ts';
import posterStyles from '../components/art/poster.module.css';
import { GeneratedPoster } from '../components/art/poster.tsx';
import { Loading } from '../components/layout/messages.tsx';
import tokens from '../styles/tokens.css?inline';
import { createRoutes } from './routes/routes.tsx';
import type { Services } from './services.ts';
import { ServicesProvider, servicesContext } from './services.ts';
import { createSessionStore } from './session.ts';
import { dataBlock, shareTags, structuredData } from './share-tags.ts';
import { createSiteContent, documentContentId, hydrationDataId } from './site-content.ts';

/** The practices of an empty library. */
const noPractice: PracticePage = { practice: null, deleted: false, others: [] };
const noPractices: PracticesPage = { practices: [], page: 1, pages: 1, chosen: 0, total: 0, untimed: 0 };

/** Renders the HTML document of a public page. */
export async function renderPage(path: string, facts: PageFacts): Promise<RenderedPage> {
  const { content, site, practices = noPractices, night = [], practicePage = noPractice, issue } = facts;
  const all = createSiteContent(site, content);
  const menu = menuOf(content, night.length > 0);
  const shown = new Set<SectionName>();
  const services: Services = {
    pageData: {
      signInMethods: async () => ({ google: site.google }),
      practices: async () => practices,
      nightPractices: async () => night,
      practicePage: async () => practicePage,
      async issue() {
        if (!issue) throw new ClientError('documents/not-found', errorMessages['documents/not-found']);
        return issue;
      },
    },
    session: createSessionStore(async () => undefined),
    content: {
      ...all,
      menu,
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
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
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
async function fill(
  { content, version, site, night = [] }: PageFacts,
  parts: PageParts,
): Promise<RenderedPage> {
  const template = await readTemplate();
  // The styles of the whole site come first, because they set the order of the cascade layers.
  const areas = new Set(parts.routeIds.map((id) => id.split('/')[0] ?? ''));
  const files = new Set([
    ...template.siteStyles,
    ...[...areas].flatMap((area) => template.styles[area] ?? []),
  ]);
  const links = [...files].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`).join('');
  const documentContent: DocumentContent = {
    version,
    fields: fieldsWithDefault,
    site,
    menu: menuOf(content, night.length > 0),
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
  const late = [...files].map((file) => `/${file}`).join(' ');
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

/** The tokens of the classes soft, mid and sun, by `data-tones`. Keep them equal to poster.module.css. */
const tones: Partial<Record<'soft' | 'mid' | 'sun', string>>[] = [
  {},
  { soft: 'move-soft', mid: 'axis-sun', sun: 'move-mid' },
  { soft: 'nutri-soft', sun: 'nutri-mid' },
  { soft: 'values-soft', mid: 'values-mid' },
  { soft: 'art-sand', sun: 'art-clay' },
  { soft: 'axis-sun', mid: 'move-mid', sun: 'axis-soft' },
];

/** Draws the generated picture of an activity as an SVG file, in the colours of the light theme. */
export function drawPoster({ axis, id }: { axis: Axis; id: string }): string {
  const drawing = renderToString(<GeneratedPoster axis={axis} seed={id} />);
  const name = mainAxisOf(axis);
  const own = { soft: 'axis-soft', mid: 'axis-mid', deep: 'axis-deep', sun: 'axis-sun' };
  const fills = { ...own, ...tones[Number(/data-tones="(\d)"/.exec(drawing)?.[1])] };
  const rules = Object.entries(fills).map(([tone, token]) => {
    const ownToken = token === 'axis-sun' ? token : token.replace('axis-', `${name}-`);
    return `.${posterStyles[tone]}{fill:${colorOf(ownToken)}}`;
  });
  const style = `<style>${rules.join('')}</style>`;
  return drawing
    .replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"')
    .replace('>', () => `>${style}`);
}

/** Returns the colour of a token in the light theme, which is the token's first value in tokens.css. */
function colorOf(token: string): string {
  const [, color] = new RegExp(`--${token}:\\s*(#[0-9a-f]{3,6})`).exec(tokens) ?? [];
  if (!color) throw new Error(`tokens.css has no colour ${token}.`);
  return color;
}
