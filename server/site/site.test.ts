import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { demoContent } from '#clinic/demo-content.ts';
import { renderedPages, visitorPages } from '#contract/site/public-pages.ts';
import type { ServiceName } from '../app.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { publishedSite, startTestServer } from '../testing/server.ts';
import { realIdentity, withFields } from '../testing/site-content.ts';

const services: ServiceName[] = ['auth', 'documents', 'storage', 'site'];

/** Sends a request without fetch, which would decompress the response. */
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

for (const kind of databaseKinds) {
  describe(`the site on ${kind}`, { concurrency: true }, () => {
    const startSite = (t: TestContext) => startTestServer(t, kind, { services });

    it('responds to each path with HTML and the right status; public pages contain their heading', async (t) => {
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
        ['/pr%E1ticas', 404, /Unexpected Application Error!/],
        ['/%', 404, /Unexpected Application Error!/],
        ['/static/js/nada.js', 404, /Unexpected Application Error!/],
      ];
      for (const [path, status, words] of expected) {
        const response = await get(url + path);
        assert.equal(response.status, status, path);
        assert.match(response.body.toString(), words, path);
        assert.match(String(response.headers['content-type']), /^text\/html/);
      }
    });

    it('never responds with 304 or a file for a page that does not exist', async (t) => {
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

    it('redirects a path with a final slash to the one without, and never to another host', async (t) => {
      const { url } = await startSite(t);
      const about = await get(`${url}/about/`);
      assert.deepEqual([about.status, about.headers.location], [308, '/about']);
      const outside = await get(`${url}//outro.com.br/`);
      assert.deepEqual([outside.status, outside.headers.location], [308, '/outro.com.br']);
      const query = await get(`${url}/practices/?eixo=move`);
      assert.deepEqual([query.status, query.headers.location], [308, '/practices?eixo=move']);
    });

    it('sends pages and files precompressed, and hashed files with a max-age of a year', async (t) => {
      const { url } = await startSite(t);
      const plain = await get(`${url}/`);
      const brotli = await get(`${url}/`, { 'accept-encoding': 'br, gzip' });
      assert.equal(brotli.headers['content-encoding'], 'br');
      assert.match(String(brotli.headers.vary), /accept-encoding/i);
      assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
      assert.equal(plain.headers['cache-control'], 'public, no-cache');
      const script = /data-files="(\/static\/js\/\S+)/.exec(plain.body.toString())?.[1] ?? '';
      const file = await get(url + script, { 'accept-encoding': 'br' });
      assert.equal(file.status, 200);
      assert.equal(file.headers['content-encoding'], 'br');
      assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
    });

    it('lets a content delivery network keep public pages for a minute, and nothing else', async (t) => {
      const server = await startSite(t);
      const admin = await server.join('admin');
      const { id } = await admin.client.documents.createActivity(sampleActivity());
      const keep = 'max-age=60, stale-while-revalidate=600';
      for (const path of ['/', '/about', '/practices?tempo=3', '/privacidade', `/practices/${id}`]) {
        const page = await get(server.url + path);
        assert.deepEqual([page.status, page.headers['cdn-cache-control']], [200, keep], path);
        const same = await get(server.url + path, { 'if-none-match': String(page.headers.etag) });
        assert.deepEqual([same.status, same.headers['cdn-cache-control']], [304, keep], path);
      }
      const { path: preview } = await admin.client.site.createPreview();
      const others = [
        '/login',
        '/admin',
        '/minha-area',
        '/nada',
        '/practices/nada',
        '/previa/nada/',
        preview,
      ];
      for (const path of [...others, '/api/site/content', '/api/session', '/favicon.svg'])
        assert.equal((await get(server.url + path)).headers['cdn-cache-control'], undefined, path);
    });

    it('lists the public pages for search engines, with the public URL', async (t) => {
      const server = await startTestServer(t, kind, { services: ['site'], environment: publishedSite });
      const robots = (await get(`${server.url}/robots.txt`)).body.toString();
      assert.match(robots, /^Sitemap: https:\/\/clinica\.exemplo\.com\.br\/sitemap\.xml$/m);
      const sitemap = (await get(`${server.url}/sitemap.xml`)).body.toString();
      const pages = [...sitemap.matchAll(/<loc>https:\/\/clinica\.exemplo\.com\.br(.*?)<\/loc>/g)].map(
        ([, path]) => path,
      );
      assert.deepEqual(pages, ['/', '/about', '/practices', '/privacidade']);
      for (const path of pages) {
        const html = (await get(server.url + path)).body.toString();
        assert.doesNotMatch(html, /origin\.invalid/);
        assert.ok(html.includes(`<link rel="canonical" href="https://clinica.exemplo.com.br${path}"`), path);
        assert.doesNotMatch(html, /content="noindex"/, path);
      }
    });

    it('tells search engines not to index private or missing pages', async (t) => {
      const { url } = await startSite(t);
      for (const path of ['/admin', '/pro', '/login/recover', '/nada']) {
        const html = (await get(url + path)).body.toString();
        assert.match(html, /<meta name="robots" content="noindex"/, path);
        assert.doesNotMatch(html, /rel="canonical"|og:url/, path);
      }
    });

    it('describes each page to chats and social networks, with a picture that exists', async (t) => {
      const { url } = await startTestServer(t, kind, { services: ['site'], environment: publishedSite });
      for (const path of visitorPages) {
        const html = (await get(url + path)).body.toString();
        const tags = new Map(
          [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]+)"/g)].map(
            ([, name, content]) => [name, content],
          ),
        );
        assert.equal(tags.get('og:url'), `https://clinica.exemplo.com.br${path}`);
        assert.equal(tags.get('og:title'), /<title>([^<]+)/.exec(html)?.[1]);
        assert.equal(tags.get('og:description'), /<meta name="description" content="([^"]+)/.exec(html)?.[1]);
        assert.equal(tags.get('og:locale'), 'pt_BR');
        assert.equal(tags.get('twitter:card'), 'summary_large_image');
        const picture = await get(url + new URL(tags.get('og:image') ?? '').pathname);
        assert.equal(picture.headers['content-type'], 'image/png');
        assert.equal(picture.body.readUInt32BE(16), Number(tags.get('og:image:width')));
        assert.equal(picture.body.readUInt32BE(20), Number(tags.get('og:image:height')));
        assert.ok(picture.body.length < 100_000);
      }
    });

    it('describes the clinic and its answers to search engines with schema.org', async (t) => {
      const server = await startTestServer(t, kind, {
        services: ['auth', 'documents', 'site'],
        environment: publishedSite,
      });
      const { url } = server;
      const { site: editor } = (await server.join('admin')).client;
      const draft = await editor.getDraft();
      const schedule = { ...realIdentity.schedule, closed: [{ from: '2026-12-24', until: '' }] };
      await editor.saveSection(withFields(draft, 'identity', { ...realIdentity, schedule }));
      await editor.saveSection(withFields(draft, 'home', { doctor: demoContent.home.doctor }));
      await editor.publish((await editor.getDraft()).tag, { warningsConfirmed: true });
      const html = (await get(`${url}/`)).body.toString();
      const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
      assert.doesNotMatch(block, /</);
      const data = JSON.parse(block) as { '@context': string; '@graph': Record<string, unknown>[] };
      assert.equal(data['@context'], 'https://schema.org');
      const [physician, site, questions] = data['@graph'];
      assert.equal(physician?.['@type'], 'Physician');
      for (const field of ['name', 'url', 'image', 'telephone', 'email', 'address', 'medicalSpecialty'])
        assert.ok(physician?.[field], field);
      const [week] = (physician?.openingHoursSpecification ?? []) as Record<string, unknown>[];
      assert.deepEqual(week?.dayOfWeek, [
        'https://schema.org/Monday',
        'https://schema.org/Tuesday',
        'https://schema.org/Wednesday',
        'https://schema.org/Thursday',
        'https://schema.org/Friday',
      ]);
      assert.deepEqual([week?.opens, week?.closes], ['09:00', '18:00']);
      assert.deepEqual(physician?.specialOpeningHoursSpecification, [
        {
          '@type': 'OpeningHoursSpecification',
          ...{ validFrom: '2026-12-24', validThrough: '2026-12-24', opens: '00:00', closes: '00:00' },
        },
      ]);
      assert.deepEqual(physician?.knowsAbout, demoContent.home.doctor.treats);
      assert.ok(physician?.hasCredential);
      assert.equal(site?.['@type'], 'WebSite');
      assert.equal(site?.url, 'https://clinica.exemplo.com.br/');
      assert.equal(questions?.['@type'], 'FAQPage');
      const entries = questions?.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
      assert.equal(entries.length, html.match(/<summary><h3>/g)?.length);
      for (const { name, acceptedAnswer } of entries) {
        assert.ok(html.includes(name.replaceAll('"', '&quot;').replaceAll("'", '&#x27;')), name);
        assert.ok(acceptedAnswer.text);
      }
      for (const path of ['/about', '/practices', '/nada'])
        assert.doesNotMatch((await get(url + path)).body.toString(), /ld\+json/, path);
    });

    it('has all icons, and a manifest with the right content type', async (t) => {
      const { url } = await startSite(t);
      const head = (await get(`${url}/`)).body.toString();
      const linked = [...head.matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g)];
      assert.equal(linked.length, 3);
      for (const [, path = ''] of linked)
        if (path.startsWith('data:')) assert.match(decodeURIComponent(path), /^data:image\/svg\+xml,<svg /);
        else assert.equal((await get(url + path)).status, 200, path);
      const manifest = await get(`${url}/site.webmanifest`);
      assert.match(String(manifest.headers['content-type']), /^application\/manifest\+json/);
      const { name, icons, screenshots, shortcuts, ...rest } = JSON.parse(manifest.body.toString()) as {
        name: string;
        icons: { src: string; sizes: string; purpose: string }[];
        screenshots: { src: string; sizes: string; type: string; form_factor: string }[];
        shortcuts: { url: string }[];
        [field: string]: unknown;
      };
      assert.ok(name);
      // What browsers ask for before they offer to install the site.
      const { id, start_url, scope, display } = rest;
      assert.deepEqual([id, start_url, scope, display], ['/', '/minha-area', '/', 'standalone']);
      assert.deepEqual(
        icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
        ['192x192 any', '512x512 any', '512x512 maskable'],
      );
      assert.deepEqual(screenshots.map((one) => one.form_factor).sort(), ['narrow', 'wide']);
      for (const { src, sizes } of [...icons, ...screenshots]) {
        const { width, height } = await sharp((await get(url + src)).body).metadata();
        assert.equal(`${width}x${height}`, sizes);
      }
      for (const path of [String(start_url), ...shortcuts.map((one) => one.url)])
        assert.equal((await get(url + path)).status, 200, path);
    });

    it('sends the service worker unhashed, to be asked for again, with a policy of its own', async (t) => {
      const { url } = await startSite(t);
      const { status, headers, body } = await get(`${url}/sw.js`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['cdn-cache-control'], undefined);
      assert.equal(headers['content-security-policy'], "default-src 'none';connect-src 'self'");
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.ok(body.includes('acolhe-pages'));
      const again = await get(`${url}/sw.js`, { 'if-none-match': String(headers.etag) });
      assert.equal(again.status, 304);
      assert.match(
        String((await get(`${url}/minha-area`)).headers['content-security-policy']),
        /worker-src 'self'/,
      );
    });

    it('with SERVICE_WORKER=remove, sends a worker that removes itself and the caches', async (t) => {
      const { url } = await startTestServer(t, kind, { services, environment: { SERVICE_WORKER: 'remove' } });
      const { headers, body } = await get(`${url}/sw.js`);
      assert.equal(headers['cache-control'], 'no-cache');
      const code = body.toString();
      for (const part of ['skipWaiting()', 'caches.delete(', 'registration.unregister()'])
        assert.ok(code.includes(part));
      assert.doesNotMatch(code, /fetch|indexedDB/);
    });

    it('has one inline script and at most one inline style, both allowed by their hashes', async (t) => {
      const { url } = await startSite(t);
      for (const path of [...renderedPages, '/nada']) {
        const { headers, body } = await get(url + path);
        const html = body.toString();
        const policy = String(headers['content-security-policy']);
        const inline =
          /<script(?![^>]*(?:src=|type="application\/(?:ld\+)?json"))[^>]*>(?<code>.*?)<\/script>/gs;
        const hashesOf = (pattern: RegExp) =>
          [...html.matchAll(pattern)].map(
            ({ groups }) =>
              `'sha256-${createHash('sha256')
                .update(groups?.code ?? '')
                .digest('base64')}'`,
          );
        const scripts = hashesOf(inline);
        assert.equal(scripts.length, 1, path);
        assert.equal(/script-src ([^;]+);/.exec(policy)?.[1], ["'self'", ...scripts].join(' '), path);
        const styles = hashesOf(/<style>(?<code>.*?)<\/style>/gs);
        assert.equal(styles.length, ['/', '/practices'].includes(path) ? 0 : 1, path);
        assert.equal(/style-src ([^;]+);/.exec(policy)?.[1], ["'self'", ...styles].join(' '), path);
        assert.doesNotMatch(html, /<style[^>]|\sstyle=|\son[a-z]+=/, path);
        assert.match(policy, /default-src 'none'/);
        assert.doesNotMatch(policy, /unsafe/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
        assert.equal(headers['set-cookie'], undefined);
      }
    });

    it('allows inline styles and scripts only with pages, also with their 304', async (t) => {
      const { url } = await startSite(t);
      const page = await get(`${url}/about`);
      const again = await get(`${url}/about`, { 'if-none-match': String(page.headers.etag) });
      assert.equal(again.status, 304);
      const policy = page.headers['content-security-policy'];
      assert.equal(again.headers['content-security-policy'], policy);
      assert.notEqual((await get(`${url}/login`)).headers['content-security-policy'], policy);
      for (const path of ['/admin', '/robots.txt', '/site.webmanifest', '/api/nada']) {
        const other = String((await get(url + path)).headers['content-security-policy']);
        assert.match(other, /;style-src 'self';/, path);
      }
      for (const path of ['/robots.txt', '/site.webmanifest', '/api/nada'])
        assert.match(
          String((await get(url + path)).headers['content-security-policy']),
          /;script-src 'self';/,
          path,
        );
    });

    it('renders the practices of the requested axis, or all by default', async (t) => {
      const server = await startSite(t);
      const { client } = await server.join('admin');
      for (const axis of ['mind', 'move', 'career'] as const)
        await client.documents.createActivity(sampleActivity({ axis, title: `Uma de ${axis}` }));
      for (const [query, axes, canonical] of [
        ['', 'mind move career', ''],
        ['?eixo=mind', 'mind', '?eixo=mind'],
        ['?eixo=move', 'move', '?eixo=move'],
        ['?eixo=values', 'career', '?eixo=values'],
        ['?eixo=career', 'mind move career', ''],
        // If a parameter occurs twice, its first value counts, as in the browser.
        ['?eixo=move&eixo=values', 'move', '?eixo=move'],
        // A filter and an order show the same practices again.
        ['?eixo=move&ordem=curtas', 'move', '?eixo=move'],
      ] as const) {
        const html = (await get(`${server.url}/practices${query}`)).body.toString();
        const found = [...html.matchAll(/<h2[^>]*><a[^>]*>(Uma de \w+)</g)].map(([, title]) => title);
        assert.deepEqual(
          found,
          axes.split(' ').map((axis) => `Uma de ${axis}`),
          query,
        );
        assert.ok(
          html.includes(`<link rel="canonical" href="${server.origin}/practices${canonical}"`),
          query,
        );
      }
    });

    it('renders the practices into the page immediately after an admin has saved them', async (t) => {
      const server = await startSite(t);
      const { client } = await server.join('admin');
      const page = `${server.url}/practices?eixo=mind`;
      const empty = await get(page);
      const title = 'Ouvir <a chuva> & "o silêncio"';
      await client.documents.createActivity(sampleActivity({ title, url: 'https://youtu.be/abcdefghijk' }));
      await client.documents.createActivity(sampleActivity({ axis: 'move', title: 'Só de outro eixo' }));
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
}
