/**
 * Creates a fetch for programs outside a browser. It stores cookies and sends the Origin header, which the
 * server requires for every change.
 * @param origin scheme, host and port of the site, for example `http://localhost:3000`
 * @param jar the values of the cookies by name
 */
export function createCookieFetch(origin: string, jar = new Map<string, string>()): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return response;
  };
}

function keep(jar: Map<string, string>, setCookie: string) {
  const [pair = '', ...attributes] = setCookie.split(';');
  const cut = pair.indexOf('=');
  const name = pair.slice(0, cut).trim();
  const ended = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute));
  if (ended) jar.delete(name);
  else jar.set(name, pair.slice(cut + 1).trim());
}
