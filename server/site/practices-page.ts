import type { Activity } from '#contract/activity.ts';
import { type ListName, listOf, type MainAxis } from '#contract/axes.ts';
import type { SiteRenderer } from '#contract/site.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';

/** The lists on the page. */
export type PracticesLibrary = {
  getVersion(list: ListName): Promise<number>;
  read(list: ListName): Promise<{ version: number; activities: Activity[] }>;
};

type Rendered = { version: number; document: CachedDocument };

/**
 * Renders /practices with its activities, for readers without JavaScript and for search engines. It renders
 * once per version of a list.
 * @param render returns the page's HTML for the activities of an axis
 */
export function createPracticesPage(
  render: SiteRenderer['renderPractices'],
  library: PracticesLibrary,
): (axis: MainAxis) => Promise<CachedDocument> {
  const rendered = new Map<MainAxis, Promise<Rendered>>();

  async function renderNow(axis: MainAxis): Promise<Rendered> {
    const { version, activities } = await library.read(listOf(axis));
    const html = await render(axis, activities);
    return { version, document: createCachedDocument(html, 'text/html; charset=utf-8') };
  }

  /** The page at the list's current version. Concurrent requests share one rendering. */
  return async (axis) => {
    const version = await library.getVersion(listOf(axis));
    const known = await rendered.get(axis)?.catch(() => undefined);
    if (known?.version === version) return known.document;
    const next = renderNow(axis);
    rendered.set(axis, next);
    return (await next).document;
  };
}
