/**
 * Returns the content security policy, which allows only this site's own content, `data:` images and
 * YouTube's player.
 * @param page `script` and `style` are the hashes of a page's inline script and inline style, for example
 * `sha256-…`. `framedBy` tells which pages may show the page in a frame, by default none.
 */
export function contentSecurityPolicy(
  page: { script?: string | undefined; style?: string | undefined; framedBy?: "'self'" } = {},
): string {
  const own = (hash?: string) => (hash === undefined ? "'self'" : `'self' '${hash}'`);
  return [
    "default-src 'none'",
    `script-src ${own(page.script)}`,
    `style-src ${own(page.style)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    // The editor of the site content shows a preview in a frame.
    "frame-src 'self' https://www.youtube-nocookie.com",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${page.framedBy ?? "'none'"}`,
  ].join(';');
}

const twoYearsSeconds = 63_072_000;

/** Returns the security headers that every response has, unless its route sets others. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  const overHttps = { 'strict-transport-security': `max-age=${twoYearsSeconds}; includeSubDomains` };
  return {
    'content-security-policy': contentSecurityPolicy(),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:') && overHttps),
  };
}
