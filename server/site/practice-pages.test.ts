import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import sharp from 'sharp';
import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { databaseKinds } from '../testing/databases.ts';
import { photo } from '../testing/pictures.ts';
import { sampleActivity } from '../testing/samples.ts';
import { publishedSite, startTestServer } from '../testing/server.ts';
import { storageOf } from '../testing/storage.ts';

const services = ['auth', 'documents', 'storage', 'site'] as const;
const origin = publishedSite.PUBLIC_URL;

async function start(t: TestContext, kind: (typeof databaseKinds)[number]) {
  const options = { services: [...services], environment: publishedSite };
  const server = await startTestServer(t, kind, options);
  const admin = await server.join('admin');
  const open = async (path: string) => {
    const response = await fetch(server.url + path, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  return { server, admin, documents: admin.client.documents, open };
}

/** The content of a meta tag. */
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];

function linkedData(html: string): Record<string, unknown>[] {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  return (JSON.parse(json ?? '{"@graph":[]}') as { '@graph': Record<string, unknown>[] })['@graph'];
}

for (const kind of databaseKinds) {
  describe(`the pages of practices on ${kind}`, { concurrency: true }, () => {
    it('are complete in their HTML, whatever words follow the id', async (t) => {
      const { documents, open } = await start(t, kind);
      const first = await documents.createActivity(sampleActivity({ title: 'Pouso & sossego', minutes: 8 }));
      await documents.createActivity(sampleActivity({ title: 'A vizinha' }));
      for (const path of [
        practicePath(first),
        `/practices/${first.id}`,
        `/practices/${first.id}/titulo-antigo`,
      ]) {
        const { status, html } = await open(path);
        assert.equal(status, 200);
        assert.match(html, /<h1[^>]*>Pouso &amp; sossego<\/h1>/);
        assert.match(html, /Note o ar que sai\./);
        assert.match(html, /8(?:<!-- -->)? min/);
        assert.match(html, /A vizinha/);
        assert.equal(canonicalOf(html), origin + practicePath(first));
        assert.match(html, /<title>Pouso &amp; sossego \| /);
        assert.equal(metaOf(html, 'description'), 'Note o ar que entra. Note o ar que sai.');
      }
      assert.equal((await open(`${practicePath(first)}/mais`)).status, 404);
    });

    it('follow every change at once', async (t) => {
      const { documents, open } = await start(t, kind);
      const created = await documents.createActivity(sampleActivity({ title: 'Antes' }));
      const old = practicePath(created);
      assert.match((await open(old)).html, /<h1[^>]*>Antes</);
      const renamed = await documents.updateActivity(
        created,
        sampleActivity({ title: 'Depois', axis: 'move' }),
      );
      const page = await open(old);
      assert.match(page.html, /<h1[^>]*>Depois</);
      assert.equal(canonicalOf(page.html), origin + practicePath(renamed));
      await documents.updateActivity(renamed, sampleActivity({ title: 'Depois', visibility: 'hidden' }));
      const hidden = await open(old);
      assert.equal(hidden.status, 404);
      assert.doesNotMatch(hidden.html, /Depois/);
    });

    it('say with status 410 that a practice was deleted, and offer others; without a practice, respond with 404', async (t) => {
      const { documents, open } = await start(t, kind);
      const deleted = await documents.createActivity(sampleActivity({ title: 'Some' }));
      await documents.createActivity(sampleActivity({ title: 'Fica' }));
      await documents.deleteActivity(deleted);
      for (const [path, expected, words] of [
        [practicePath(deleted), 410, 'Esta prática saiu da biblioteca.'],
        ['/practices/nunca/houve', 404, 'Unexpected Application Error!'],
      ] as const) {
        const { status, html, headers } = await open(path);
        assert.equal(status, expected);
        assert.ok(html.includes(words), path);
        assert.equal(html.includes('>Fica<'), expected === 410);
        assert.equal(metaOf(html, 'robots'), 'noindex');
        assert.equal(headers.get('etag'), null);
        assert.doesNotMatch(html, /Some</);
      }
      await documents.restoreActivity(deleted);
      assert.equal((await open(practicePath(deleted))).status, 200);
    });

    it('are in the sitemap while they are public, with the time of their last change', async (t) => {
      const { documents, open } = await start(t, kind);
      const shown = await documents.createActivity(sampleActivity({ title: 'À vista', axis: 'fun' }));
      await documents.createActivity(sampleActivity({ title: 'Fora', visibility: 'hidden' }));
      const { html: sitemap } = await open('/sitemap.xml');
      const url = `<loc>${origin}/practices/${shown.id}/a-vista</loc>`;
      assert.ok(sitemap.includes(`${url}<lastmod>${new Date(shown.updatedAt).toISOString()}</lastmod>`));
      assert.doesNotMatch(sitemap, /fora/);
      await documents.deleteActivity(shown);
      assert.doesNotMatch((await open('/sitemap.xml')).html, /a-vista/);
    });

    it('describe themselves to search engines and chats, as a video, an audio or a text', async (t) => {
      const { server, admin, documents, open } = await start(t, kind);
      const storage = storageOf(admin);
      const audioFile = 'https://exemplo.com.br/som.mp3';
      await storage.upload('postImages/mind/folha', await photo(1_200, 800), 500_000);
      const made: [Activity, string, Record<string, unknown>][] = [
        [
          await documents.createActivity(sampleActivity({ minutes: 2 })),
          'VideoObject',
          {
            duration: 'PT120S',
            embedUrl: 'https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1&rel=0',
          },
        ],
        [
          await documents.createActivity(sampleActivity({ url: `${origin}/practices`, audio: audioFile })),
          'AudioObject',
          { contentUrl: audioFile },
        ],
        [
          await documents.createActivity(
            sampleActivity({ url: `${origin}/practices`, image: await storage.url('postImages/mind/folha') }),
          ),
          'Article',
          { headline: 'Um minuto com a respiração' },
        ],
      ];
      for (const [activity, type, facts] of made) {
        const { html } = await open(practicePath(activity));
        const [practice = {}, trail = {}] = linkedData(html);
        assert.equal(practice['@type'], type);
        for (const [name, value] of Object.entries(facts)) assert.deepEqual(practice[name], value, name);
        assert.equal(practice.url, origin + practicePath(activity));
        assert.equal(trail['@type'], 'BreadcrumbList');
        assert.equal(metaOf(html, 'og:type'), 'article');
        assert.equal(metaOf(html, 'og:image:alt'), activity.title);
        const image = new URL(metaOf(html, 'og:image') ?? '');
        assert.equal(image.origin, origin);
        const response = await fetch(new URL(image.pathname + image.search, server.url));
        assert.equal(response.headers.get('content-type'), 'image/png');
        const { width, height } = await sharp(await response.arrayBuffer()).metadata();
        assert.deepEqual([width, height], [1200, 630]);
      }
    });

    it('have the generated picture as their image when the file of their own picture is missing', async (t) => {
      const { documents, server } = await start(t, kind);
      for (const image of [
        '/images/nada.svg',
        '/files/postImages/mind/nada?token=abc',
        'https://exemplo.com.br/a.png',
      ]) {
        const { id } = await documents.createActivity(sampleActivity({ image }));
        const response = await fetch(`${server.url}/share/practices/${id}.png`);
        assert.equal(response.status, 200, image);
        assert.equal((await sharp(await response.arrayBuffer()).metadata()).width, 1200);
        const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
        assert.equal((await fetch(`${server.url}/share/practices/${id}.png`, { headers })).status, 304);
      }
    });

    it('give no image of a hidden or unknown practice', async (t) => {
      const { documents, open } = await start(t, kind);
      const hidden = await documents.createActivity(sampleActivity({ visibility: 'hidden' }));
      for (const id of [hidden.id, 'nada', '%2e%2e', 'a'.repeat(101)])
        assert.equal((await open(`/share/practices/${id}.png`)).status, 404);
    });
  });
}
