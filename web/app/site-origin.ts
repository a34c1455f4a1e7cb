import { originPlaceholder } from '#contract/site.ts';

/**
 * The public scheme and host of the site, which may differ from those of this visit. The server writes them
 * into prerendered pages; other pages are read only by browsers.
 */
export const siteOrigin = typeof document === 'undefined' ? originPlaceholder : readOrigin();

function readOrigin() {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return canonical ? new URL(canonical.href).origin : window.location.origin;
}
