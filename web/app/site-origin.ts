import { originPlaceholder } from '#contract/site.ts';

/**
 * The public origin of the site, which can differ from the origin that the visitor uses. The server writes it
 * into the canonical link of a prerendered page, and the browser reads it from there.
 */
export const siteOrigin = typeof document === 'undefined' ? originPlaceholder : readOrigin();

function readOrigin() {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return canonical ? new URL(canonical.href).origin : window.location.origin;
}
