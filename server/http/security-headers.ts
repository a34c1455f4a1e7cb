import { createHash } from 'node:crypto';
import { startScript } from '#contract/site.ts';

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Nothing but what this site itself serves, and the video player that a person starts. One inline script, word for
 * word, and no inline style but the one that a page carries.
 * @param style the whole text of that
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

/** What every answer carries, whatever it is: written out once, not for each of them. */
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
