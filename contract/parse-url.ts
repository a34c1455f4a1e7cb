/** Like `URL.parse`, which Safari 17, Chrome 125 and Firefox 125 do not have. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Adds `https://` to a link typed without it, such as `exemplo.com.br/x`. Returns other texts as they are.
 */
export const withScheme = (text: string): string =>
  /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]|$)/u.test(text) ? `https://${text}` : text;
