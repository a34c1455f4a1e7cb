import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { activityInput, startTestServer } from '../testing/server.ts';

const startSite = (t: TestContext) =>
  startTestServer(t, 'sqlite', { services: ['auth', 'documents', 'storage', 'site'] });

/** A bare request: fetch would decompress the answer. */
async function get(url: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: IncomingHttpHeaders;
    status: number;
    body: Buffer;
  }>();
  request(url, { headers }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () =>
      resolve({ headers: response.headers, status: response.statusCode ?? 0, body: Buffer.concat(parts) }),
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('the site', { concurrency: true }, () => {
  it('serves whole public pages and the shell of the others, with the right status', async (t) => {
    const { url } = await startSite(t);
    const expected: [path: string, status: number, words: RegExp][] = [
      ['/', 200, /<h1/],
      ['/about', 200, /<h1/],
      ['/practices', 200, /<h1[^>]*>Práticas/],
      ['/privacidade', 200, /<h1/],
      ['/login', 200, /<div id="root"/],
      ['/login/recover', 200, /<div id="root"/],
      ['/admin/newact', 200, /<div id="root"/],
      ['/login/outra', 404, /<div id="root"/],
      ['/nada', 404, /Unexpected Application Error!/],
      ['/nada/mais/nada', 404, /Unexpected Application Error!/],
      ['/static/js/nada.js', 404, /Unexpected Application Error!/],
    ];
    for (const [path, status, words] of expected) {
      const response = await get(url + path);
      assert.equal(response.status, status, path);
      assert.match(response.body.toString(), words, path);
      assert.match(String(response.headers['content-type']), /^text\/html/);
    }
  });

  it('never answers 304 or a file where there is no page', async (t) => {
    const { url } = await startSite(t);
    const missing = await get(`${url}/nada`);
    const again = await get(`${url}/nada`, { 'if-none-match': String(missing.headers.etag) });
    assert.equal(again.status, 404);
    for (const path of [
      '/index.html',
      '/index.html.br',
      '/../pages.json',
      '/%2e%2e/pages.json',
      '/..%2fpages.json',
      '/render.js',
    ]) {
      assert.equal((await get(url + path)).status, 404, path);
    }
  });

  it('leads an address with a slash at its end to the one without, and never to another host', async (t) => {
    const { url } = await startSite(t);
    const about = await get(`${url}/about/`);
    assert.deepEqual([about.status, about.headers.location], [308, '/about']);
    const outside = await get(`${url}//outro.com.br/`);
    assert.deepEqual([outside.status, outside.headers.location], [308, '/outro.com.br']);
  });

  it('sends pages and files compressed as they were built, and hashed files for a year', async (t) => {
    const { url } = await startSite(t);
    const plain = await get(`${url}/`);
    const brotli = await get(`${url}/`, { 'accept-encoding': 'br, gzip' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.match(String(brotli.headers.vary), /accept-encoding/i);
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
    assert.equal(plain.headers['cache-control'], 'public, no-cache');
    const script = /src="(\/static\/js\/[^"]+)"/.exec(plain.body.toString())?.[1] ?? '';
    const file = await get(url + script, { 'accept-encoding': 'br' });
    assert.equal(file.status, 200);
    assert.equal(file.headers['content-encoding'], 'br');
    assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  it('tells search engines the public pages, at the address of the published site', async (t) => {
    const environment = { PUBLIC_URL: 'https://clinica.exemplo.com.br' };
    const server = await startTestServer(t, 'sqlite', { services: ['site'], environment });
    const robots = (await get(`${server.url}/robots.txt`)).body.toString();
    assert.match(robots, /^Sitemap: https:\/\/clinica\.exemplo\.com\.br\/sitemap\.xml$/m);
    const sitemap = (await get(`${server.url}/sitemap.xml`)).body.toString();
    const pages = [...sitemap.matchAll(/<loc>https:\/\/clinica\.exemplo\.com\.br(.*?)<\/loc>/g)].map(
      ([, path]) => path,
    );
    assert.deepEqual(pages, ['/', '/about', '/practices', '/privacidade']);
    for (const path of pages) {
      assert.doesNotMatch((await get(server.url + path)).body.toString(), /origin\.invalid/);
    }
  });

  it('has no inline script, style or handler, and says so in its policy', async (t) => {
    const { url } = await startSite(t);
    for (const path of ['/', '/about', '/practices', '/privacidade', '/login', '/nada']) {
      const { headers, body } = await get(url + path);
      const html = body.toString();
      assert.doesNotMatch(html, /<script(?![^>]*(?:src=|type="application\/(?:ld\+)?json"))[^>]*>/, path);
      assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=/, path);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  it('renders the practices into the page as soon as an admin has saved them', async (t) => {
    const server = await startSite(t);
    const { client } = await server.join('admin');
    const page = `${server.url}/practices`;
    const empty = await get(page);
    const title = 'Ouvir <a chuva> & "o silêncio"';
    await client.documents.createActivity(activityInput({ title, url: 'https://youtu.be/abcdefghijk' }));
    await client.documents.createActivity(activityInput({ axis: 'move', title: 'Só de outro eixo' }));
    const full = await get(page, { 'if-none-match': String(empty.headers.etag) });
    assert.equal(full.status, 200);
    const html = full.body.toString();
    assert.ok(html.includes('Ouvir &lt;a chuva&gt; &amp; &quot;o silêncio&quot;'));
    assert.ok(html.includes('https://www.youtube.com/watch?v=abcdefghijk'));
    assert.ok(!html.includes('Só de outro eixo'));
    assert.ok(!html.includes('<iframe'));
    const unchanged = await get(page, { 'if-none-match': String(full.headers.etag) });
    assert.equal(unchanged.status, 304);
    const brotli = await get(page, { 'accept-encoding': 'br' });
    assert.deepEqual(brotliDecompressSync(brotli.body), full.body);
  });
});
