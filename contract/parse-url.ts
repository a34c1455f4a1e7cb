/** Like `URL.parse`, which Safari 17, Chrome 125 and Firefox 125 do not have. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
