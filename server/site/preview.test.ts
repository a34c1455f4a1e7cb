import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';
import { type SectionName, sectionNames } from '#contract/site/content.ts';
import type { DocumentContent } from '#contract/site/document.ts';
import type { ServiceName } from '../app.ts';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer } from '../testing/server.ts';
import { withFields } from '../testing/site-content.ts';
import { createPreviewLinks } from './preview.ts';

const services: ServiceName[] = ['auth', 'documents', 'site'];
const pages = ['', 'about', 'practices', 'practices?eixo=move', 'privacidade', 'login', 'register', 'pro'];

for (const kind of databaseKinds) {
  describe(`the preview of the draft on ${kind}`, { concurrency: true }, () => {
    const start = (t: TestContext) => startTestServer(t, kind, { services });

    it('shows the draft to everyone who has the link, and the site stays as it is', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      await site.saveSection(withFields(await site.getDraft(), 'identity', { shortName: 'Jacarandá' }));
      const { path } = await site.createPreview();
      for (const page of pages) {
        const response = await fetch(server.url + path + page);
        assert.equal(response.status, 200, page);
        assert.match(await response.text(), /<title>[^<]*Jacarandá<\/title>/, page);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.equal(response.headers.get('x-robots-tag'), 'noindex');
        assert.equal(response.headers.get('etag'), null);
        assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
        assert.equal(response.headers.get('x-frame-options'), 'SAMEORIGIN');
      }
      assert.equal((await fetch(`${server.url}${path}nada`)).status, 404);
      for (const page of pages)
        assert.doesNotMatch(await (await fetch(`${server.url}/${page}`)).text(), /Jacarandá/, page);
    });

    it('follows the draft, on every instance', async (t) => {
      const server = await start(t);
      const twin = await server.twin();
      const { site } = (await server.join('admin')).client;
      const { path } = await site.createPreview();
      for (const shortName of ['Primeiro', 'Segundo']) {
        await site.saveSection(withFields(await site.getDraft(), 'identity', { shortName }));
        for (const one of [server, twin])
          assert.match(await (await fetch(one.url + path)).text(), new RegExp(`<title>[^<]*${shortName}<`));
      }
    });

    it('contains all sections, so that its pages need no published content', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      const { path } = await site.createPreview();
      for (const page of pages) {
        const html = await (await fetch(server.url + path + page)).text();
        const json = /<script type="application\/json" id="content">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
        const { sections, site: facts } = JSON.parse(json) as DocumentContent;
        assert.deepEqual(Object.keys(sections).sort(), sectionNames.toSorted(), page);
        assert.equal(`${facts.basename}/`, path);
      }
    });

    it('does not open with a link that is wrong, changed or expired', async (t) => {
      const server = await start(t);
      const { site } = (await server.join('admin')).client;
      await site.saveSection(withFields(await site.getDraft(), 'identity', { shortName: 'Jacarandá' }));
      const { path } = await site.createPreview();
      const [, , token = ''] = path.split('/');
      const [text = '', signature = ''] = token.split('.');
      const later = Buffer.from(JSON.stringify({ until: Date.now() + 1e9 })).toString('base64url');
      const links = createPreviewLinks(server.authSecret);
      const old = links.create(Date.now() - 31 * 60_000).path;
      const fromTheFuture = links.create(Date.now() + 60_000).path;
      const wrong = ['', 'x', '.', `${text}.`, `.${signature}`, `${later}.${signature}`, `${token}x`];
      for (const path of [...wrong.map((one) => `/previa/${one}/`), old, fromTheFuture, '/previa'])
        for (const page of ['', 'about']) {
          const response = await fetch(server.url + path + page);
          const html = await response.text();
          assert.equal(response.status, 404, path);
          assert.doesNotMatch(html, /Jacarandá/, path);
        }
    });

    it('shows a draft with any problem', async (t) => {
      const server = await start(t);
      const { fetch: call, client } = await server.join('admin');
      const { sections } = await client.site.getDraft();
      const { path } = await client.site.createPreview();
      for (const damage of [emptied, lengthened, listsEmptied]) {
        for (const { section, content } of sections) {
          const { tag } =
            (await client.site.getDraft()).sections.find((one) => one.section === section) ?? {};
          const response = await call(paths.site.section(section as SectionName), {
            method: 'PUT',
            headers: { 'content-type': 'application/json', 'if-match': tag ?? '' },
            body: JSON.stringify(damage(content)),
          });
          assert.ok([200, 400].includes(response.status), `${section}: ${response.status}`);
        }
        for (const page of pages) {
          const response = await fetch(server.url + path + page);
          assert.equal(response.status, 200, `${damage.name} ${page}`);
          assert.match(await response.text(), /<div id="root">./, page);
        }
      }
    });
  });
}

/** Returns a copy of the value in which `change` has replaced every string. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, change)]));
}

const fixed = new Set(['Médica', 'Instagram', 'YouTube', 'LinkedIn']);

function emptied(content: unknown): unknown {
  return withTexts(content, (text) => (fixed.has(text) ? text : ''));
}

function lengthened(content: unknown): unknown {
  return withTexts(content, (text) => (fixed.has(text) ? text : `${text} <&"'`.repeat(5).slice(0, 200)));
}

function listsEmptied(content: unknown): unknown {
  if (Array.isArray(content)) return [];
  if (typeof content !== 'object' || content === null) return content;
  return Object.fromEntries(Object.entries(content).map(([key, inner]) => [key, listsEmptied(inner)]));
}
