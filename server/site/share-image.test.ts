import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';
import { texts } from '#clinic/texts.ts';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import type { Identity } from '#contract/site/identity.ts';
import { visitorPages } from '#contract/site/public-pages.ts';
import { shareImage } from '#contract/site/share-image.ts';
import { databaseKinds, isFullLevel } from '../testing/databases.ts';
import { png } from '../testing/pictures.ts';
import { sampleActivity } from '../testing/samples.ts';
import { publishedSite, startTestServer, type TestServer } from '../testing/server.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';
import { storageOf } from '../testing/storage.ts';

const services = ['auth', 'documents', 'storage', 'site'] as const;
const start = (t: TestContext, kind: (typeof databaseKinds)[number], environment = {}) =>
  startTestServer(t, kind, { services: [...services], environment });

const get = ({ url }: { url: string }, version: number | string, headers = {}) =>
  fetch(`${url}/share/${version}.png`, { redirect: 'manual', headers });

async function imageOf(server: { url: string }, version: number) {
  const response = await get(server, version);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  const content = Buffer.from(await response.arrayBuffer());
  const { format, width, height } = await sharp(content).metadata();
  assert.deepEqual({ format, width, height }, { format: 'png', width: 1200, height: 630 });
  assert.ok(content.length < 150_000, `${content.length} bytes`);
  return content;
}

type Box = { left: number; top: number; width: number; height: number };
const pixelsOf = (image: Buffer, box: Box) => sharp(image).extract(box).removeAlpha().raw().toBuffer();
const { height } = shareImage;
/** The area of the text, the margins around it, and the panel with the mural. */
const textArea = { left: 72, top: 50, width: 608, height: height - 100 };
const margins = [
  { left: 0, top: 0, width: 60, height },
  { left: 684, top: 0, width: 36, height },
  { left: 0, top: 0, width: 700, height: 40 },
  { left: 0, top: height - 40, width: 700, height: 40 },
];
const panel = { left: 720, top: 0, width: 480, height };
const portraitCentre = { left: 950, top: 300, width: 20, height: 20 };

/** Returns the fraction of the pixels in the text area that are not background. */
async function inkIn(image: Buffer): Promise<number> {
  const pixels = await pixelsOf(image, textArea);
  let inked = 0;
  for (let at = 0; at < pixels.length; at += 3) if ((pixels[at] ?? 0) < 200) inked += 1;
  return inked / (pixels.length / 3);
}

async function publishTexts(admin: Awaited<ReturnType<TestServer['join']>>, identity: Partial<Identity>) {
  const { site } = admin.client;
  await site.saveSection(withFields(await site.getDraft(), 'identity', { ...realIdentity, ...identity }));
  return (await site.publish((await site.getDraft()).tag, { warningsConfirmed: true })).version;
}

/** Stores site content with texts over the current limits, as an earlier version of this program could. */
async function storeTexts(
  { database }: TestServer,
  {
    version,
    uid,
    doctorName,
    lines,
  }: { version: number; uid: string; doctorName: string; lines: [string, string] },
) {
  const home = { ...texts.home, hero: { ...texts.home.hero, lines } };
  const content = JSON.stringify({ ...texts, home, identity: { ...realIdentity, doctorName } });
  const row = { version, content, note: '', publishedAt: Date.now(), publishedBy: uid };
  await database.insertInto('siteVersions').values(row).execute();
  await database.updateTable('siteState').set({ version }).execute();
  return version;
}

for (const kind of databaseKinds) {
  describe(`the share image on ${kind}`, { concurrency: 2 }, () => {
    it('shows the published texts, and is named by every public page', async (t) => {
      const server = await start(t, kind, publishedSite);
      const admin = await server.join('admin');
      const sample = await imageOf(server, 0);
      const version = await publishTexts(admin, {});
      const first = await imageOf(server, version);
      const second = await imageOf(server, await publishTexts(admin, { doctorName: 'Dra. Bia Prado' }));
      for (const image of [sample, first, second]) assert.ok((await inkIn(image)) > 0.03);
      const [before, after] = [await pixelsOf(first, textArea), await pixelsOf(second, textArea)];
      assert.notDeepEqual(before, after);
      for (const page of visitorPages) {
        const html = await (await fetch(server.url + page)).text();
        const url = `https://clinica.exemplo.com.br/share/${version + 1}.png`;
        assert.ok(html.includes(`<meta property="og:image" content="${url}">`), page);
        if (page === '/') assert.ok(html.includes(`"image":"${url}"`));
      }
    });

    it('is cached for a year by version; other versions redirect to the newest one', async (t) => {
      const server = await start(t, kind);
      const twin = await server.twin();
      const sample = await get(server, 0);
      assert.equal(sample.headers.get('cache-control'), 'public, no-cache');
      const etag = sample.headers.get('etag') ?? '';
      assert.equal((await get(server, 0, { 'if-none-match': etag })).status, 304);
      const admin = await server.join('admin');
      const version = await publishName(admin.client, 'Clínica');
      for (const one of [server, twin]) {
        for (const other of [0, version + 1, 99_999_999]) {
          const moved = await get(one, other);
          assert.deepEqual(
            [moved.status, moved.headers.get('location'), moved.headers.get('cache-control')],
            [302, paths.site.shareImage(version), 'no-store'],
          );
        }
        const newest = await get(one, version);
        assert.equal(newest.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      }
      for (const wrong of ['x', '-1', '1.5', '%00', '1e999'])
        assert.equal((await get(server, wrong)).status, 404, wrong);
    });

    it('shows a stored portrait', async (t) => {
      const server = await start(t, kind);
      const admin = await server.join('admin');
      const sample = await imageOf(server, 0);
      const storage = storageOf(admin);
      await storage.send('site/portrait/a', await png(300, 400));
      const portrait = { file: await storage.url('site/portrait/a'), alt: 'Retrato' };
      const { site } = admin.client;
      const { hero } = sectionOf(await site.getDraft(), 'home').content;
      await site.saveSection(withFields(await site.getDraft(), 'home', { hero: { ...hero, portrait } }));
      const image = await imageOf(server, await publishName(admin.client, 'Clínica'));
      // Lossy compression and the palette change the colour of the picture a little.
      const [red = 0, green = 0, blue = 0] = await pixelsOf(image, portraitCentre);
      for (const [found, expected] of [
        [red, 0x3a],
        [green, 0x7d],
        [blue, 0x6c],
      ] as const)
        assert.ok(Math.abs(found - expected) < 8, `${found} ${expected}`);
      assert.notDeepEqual(await pixelsOf(image, portraitCentre), await pixelsOf(sample, portraitCentre));
    });

    if (isFullLevel)
      it('keeps long and hostile texts inside their area', async (t) => {
        const server = await start(t, kind);
        const admin = await server.join('admin');
        const sample = await imageOf(server, 0);
        const long = 'Maria Fernanda Aparecida de Albuquerque '.repeat(100).slice(0, 3_000);
        const cases: [doctorName: string, lines: [string, string]][] = [
          [long, [long, 'x'.repeat(3_000)]],
          ['W'.repeat(3_000), ['Uma', 'Outra']],
          [
            '</span><span size="9999999" foreground="red">&#0;&<b>',
            ['<span font="900">a', '%s %n &lt;markup&gt; \u202e\u0301'],
          ],
          ['😀👩🏽‍⚕️ مرحبا 李', ['مرحبا', '👩🏽‍⚕️']],
          ['\u0301'.repeat(3_000), ['ﷺ'.repeat(3_000), 'Z\u0351\u036b\u0343\u0489'.repeat(600)]],
        ];
        for (const [index, [doctorName, lines]] of cases.entries()) {
          const version = await storeTexts(server, { version: index + 1, uid: admin.uid, doctorName, lines });
          const image = await imageOf(server, version);
          const where = doctorName.slice(0, 20);
          assert.ok((await inkIn(image)) > 0.001, where);
          for (const margin of margins) {
            const { channels } = await sharp(await sharp(image).extract(margin).toBuffer()).stats();
            for (const [channel, { min, max }] of channels.slice(0, 3).entries())
              assert.ok(min >= 230 && max - min <= 4, `${where} ${channel}`);
          }
          const [now, before] = [await pixelsOf(image, panel), await pixelsOf(sample, panel)];
          // The palette depends on the whole image, so the text can change some colours of the panel.
          const changed = now.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 40).length;
          assert.ok(changed / now.length < 0.01, `${where}: ${changed}`);
        }
      });

    it('is drawn again after a failure', async (t) => {
      const server = await start(t, kind);
      const admin = await server.join('admin');
      const storage = storageOf(admin);
      await storage.send('site/portrait/a', await png());
      const portrait = { file: await storage.url('site/portrait/a'), alt: 'Retrato' };
      const { site } = admin.client;
      const { hero } = sectionOf(await site.getDraft(), 'home').content;
      await site.saveSection(withFields(await site.getDraft(), 'home', { hero: { ...hero, portrait } }));
      const version = await publishName(admin.client, 'Clínica');
      const files = path.join(server.dataDir, 'files');
      await rename(files, `${files}-away`);
      const failed = await get(server, version);
      assert.equal(failed.status, 503);
      assert.equal(failed.headers.get('cache-control'), 'no-store');
      assert.equal(errorBody.parse(await failed.json()).code, 'server/unavailable');
      await rename(`${files}-away`, files);
      await imageOf(server, version);
    });
  });
}

it('one network that requests the images of many practices does not keep others waiting', async (t) => {
  const server = await start(t, 'sqlite', { TRUSTED_PROXIES: 'loopback' });
  const { documents } = (await server.join('admin')).client;
  const practices = [];
  for (let index = 0; index < 8; index += 1)
    practices.push(await documents.createActivity(sampleActivity({ title: `Prática ${index}` })));
  const ask = async (practice: { id: string; updatedAt: number }, address: string) => {
    const headers = { 'x-forwarded-for': address };
    const response = await fetch(server.url + paths.site.practiceImage(practice), { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const [last, ...first] = practices.toReversed();
  assert.ok(last);
  const flood = Promise.all(first.map((practice, index) => ask(practice, `2001:db8:1:2::${index}`)));
  assert.equal(await ask(last, '203.0.113.7'), 200);
  const statuses = await flood;
  assert.equal(statuses.filter((status) => status === 200).length, 3);
  assert.ok(statuses.every((status) => status === 200 || status === 503));
  assert.equal(await ask(last, '2001:db8:1:2::9'), 200, 'a drawn image needs no turn');
});

// Reads the processes of Linux.
if (isFullLevel)
  it('concurrent requests for the share image share one process, and later ones need none', async (t) => {
    const server = await start(t, 'sqlite');
    let most = 0;
    let done = false;
    const responses = Promise.all(Array.from({ length: 8 }, () => get(server, 0))).finally(() => {
      done = true;
    });
    while (!done) {
      most = Math.max(most, countDrawings());
      await setImmediate();
    }
    assert.equal(most, 1);
    const tags = new Set((await responses).map(({ headers }) => headers.get('etag')));
    assert.equal(tags.size, 1);
  });

/** Counts this process's child processes that draw a share image. */
function countDrawings(): number {
  const children = readdirSync('/proc/self/task').flatMap((task) => {
    try {
      return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
    } catch {
      // The thread has ended in the meantime.
      return [];
    }
  });
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('share-image-process');
    } catch {
      // The process has exited in the meantime.
      return false;
    }
  }).length;
}
