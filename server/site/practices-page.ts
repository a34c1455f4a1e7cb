import type { Activity } from '#contract/activity.ts';
import { type ListName, listOf, type MainAxis } from '#contract/axes.ts';
import type { BuiltSite } from './built-site.ts';
import type { CachedDocument } from './document.ts';

/** Reads the lists that the page shows. */
export type PracticesLibrary = {
  getVersion(list: ListName): Promise<number>;
  read(list: ListName): Promise<{ version: number; activities: Activity[] }>;
};

type Rendered = { version: number; document: CachedDocument };

/**
 * Renders /practices with its activities, for readers without JavaScript and for search engines. It renders
 * a list again only when the list has a new version.
 * @param render returns the page with the activities of an axis
 */
export function createPracticesPage(
  render: BuiltSite['renderPractices'],
  library: PracticesLibrary,
): (axis: MainAxis) => Promise<CachedDocument> {
  const rendered = new Map<MainAxis, Promise<Rendered>>();

  async function renderNow(axis: MainAxis): Promise<Rendered> {
    const { version, activities } = await library.read(listOf(axis));
    return { version, document: await render(axis, activities) };
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
