import { originPlaceholder } from '#contract/site.ts';

/**
 * Scheme and host under which the site is known, which may not be those of this visit. The server writes them
 * into finished pages; a page without them is only ever read by a browser.
 */
export const siteOrigin = typeof document === 'undefined' ? originPlaceholder : readOrigin();

function readOrigin() {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return canonical ? new URL(canonical.href).origin : window.location.origin;
}
