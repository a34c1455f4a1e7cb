import { createSiteDocument, type SiteDocument } from './document.ts';
import type { SiteOptions } from './routes.ts';

/**
 * /practices with the practices in it, for readers without JavaScript and for search engines.
 * Rendered once for each version of the mind list.
 * @param render the page's HTML for a list of activities
 */
export function createPracticesPage(
  render: (activities: Awaited<ReturnType<SiteOptions['library']['read']>>['activities']) => Promise<string>,
  library: SiteOptions['library'],
): () => Promise<SiteDocument> {
  let rendered: Promise<{ version: number; document: SiteDocument }> | undefined;

  async function renderNow() {
    const { version, activities } = await library.read();
    return {
      version,
      document: await createSiteDocument(await render(activities), 'text/html; charset=utf-8'),
    };
  }

  /** The page at the list's present version. Requests that come while it is rendered share the work. */
  return async () => {
    const version = await library.getVersion();
    const known = await rendered?.catch(() => undefined);
    if (known?.version === version) return known.document;
    rendered = renderNow();
    return (await rendered).document;
  };
}
