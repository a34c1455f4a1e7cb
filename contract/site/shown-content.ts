import type { SiteContent } from './content.ts';
import type { AboutPart } from './parts.ts';

/**
 * Returns the content for visitors: the texts of hidden parts are empty, so that neither the pages nor the
 * menu, the structured data or the sent JSON contain them.
 */
export function shownContent(content: SiteContent): SiteContent {
  const { home, about, arrangement, questions } = content;
  const isHidden = (part: AboutPart) => arrangement.about.hidden.includes(part);
  return {
    ...content,
    home: withEmpty(home, arrangement.home.hidden),
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
