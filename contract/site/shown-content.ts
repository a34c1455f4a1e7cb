import type { SiteContent } from './content.ts';
import type { AboutPart, HomePart } from './parts.ts';

/** The addresses of the parts of the home page to which links lead. */
const addresses: Partial<Record<HomePart, string>> = {
  doctor: '/#quem-atende',
  about: '/#abordagem',
  fees: '/#valores',
  faq: '/#perguntas',
  newsletter: '/#carta',
};

/**
 * Returns the content for visitors: the texts of hidden parts are empty, so that neither the pages nor the
 * menu, the structured data or the sent JSON contain them. Links to hidden parts are left out.
 */
export function shownContent(content: SiteContent): SiteContent {
  const { home, about, arrangement, questions } = content;
  const isHidden = (part: AboutPart) => arrangement.about.hidden.includes(part);
  const gone = arrangement.home.hidden.map((part) => addresses[part]);
  const shownHome = withEmpty(home, arrangement.home.hidden);
  const { resources } = shownHome;
  return {
    ...content,
    home: {
      ...shownHome,
      resources: { ...resources, items: resources.items.filter(({ url }) => !gone.includes(url)) },
    },
    about: {
      ...withEmpty(about, arrangement.about.hidden),
      ...(isHidden('act') && { processes: [] }),
    },
    questions: arrangement.home.hidden.includes('faq') ? [] : questions,
    arrangement: { ...arrangement, confirmed: [] },
  };
}

function withEmpty<Page extends object>(page: Page, parts: (keyof Page)[]): Page {
  return { ...page, ...Object.fromEntries(parts.map((part) => [part, emptied(page[part])])) };
}

/** Returns a value of the same structure without texts and without items. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptied(inner)]));
}
