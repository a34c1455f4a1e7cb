import { createHash } from 'node:crypto';
import { startScript } from '#contract/site.ts';

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Allows only this site's own content, and the video player that a user starts. It allows one inline script
 * and one inline style by their hashes.
 * @param style the full text of the page's inline style
 */
export function contentSecurityPolicy(style?: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${sourceOf(startScript)}`,
    `style-src 'self'${style === undefined ? '' : ` ${sourceOf(style)}`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    'frame-src https://www.youtube-nocookie.com',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

const twoYearsSeconds = 63_072_000;

/** The headers of every answer, computed once. */
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
