import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { storageMessages } from '#contract/storage.ts';
import { cleanUpFiles } from '../storage/clean-up.ts';
import { deleteUnnamedSiteFiles } from '../storage/files/files.ts';
import { openDiskStore } from '../storage/store/disk.ts';
import { databaseKinds } from '../testing/databases.ts';
import { png } from '../testing/pictures.ts';
import { startTestServer } from '../testing/server.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';
import { mp3, storageOf } from '../testing/storage.ts';
import { lockKeptFiles } from './site-files.ts';

const day = 24 * 60 * 60_000;
const missingImage = 'a imagem não existe mais: escolha outra';
const missingAudio = 'o áudio não existe mais: escolha outro';

type Issues = { code: string; issues: { path: string; message: string }[] };

for (const kind of databaseKinds) {
  describe(`files of the site on ${kind}`, { concurrency: 2 }, () => {
    async function start(t: TestContext) {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const storage = storageOf(admin);
      const { site } = admin.client;
      await publishName(admin.client, 'Clínica');
      const add = async (file: string) => {
        const content = file.startsWith('site/audio/') ? mp3(2_000) : await png();
        assert.equal((await storage.send(file, content)).status, 201);
        return storage.url(file);
      };
      const remove = (file: string) => storage.call(paths.storage.object(file), { method: 'DELETE' });
      const savePortrait = async (url: string) => {
        const { content } = sectionOf(await site.getDraft(), 'home');
        const hero = { ...content.hero, portrait: { file: url, alt: 'Retrato' } };
        return site.saveSection(withFields(await site.getDraft(), 'home', { hero }));
      };
      const publish = async () => site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      const isThere = async (url: string) => (await fetch(server.url + url)).status === 200;
      return { server, site, admin, storage, add, remove, savePortrait, publish, isThere };
    }

    const refusedAsNamed = async (response: Response, file: string) => {
      assert.equal(response.status, 409);
      const { code, message } = errorBody.parse(await response.json());
      assert.deepEqual([code, message], ['storage/object-in-use', storageMessages.objectInUse(file)]);
    };

    it('can be cached for ever, and have smaller versions', async (t) => {
      const { server, add } = await start(t);
      const url = await add('site/portrait/a');
      const picture = await fetch(`${server.url}${url}&width=480`);
      assert.equal(picture.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(picture.headers.get('content-type'), 'image/webp');
      const sound = await fetch(server.url + (await add('site/audio/a')));
      assert.equal(sound.headers.get('content-type'), 'audio/mpeg');
    });

    it('stay while the draft or a published version names them', async (t) => {
      const { add, remove, savePortrait, publish, isThere, site } = await start(t);
      const [first, second] = [await add('site/portrait/a'), await add('site/portrait/b')];
      const saved = await savePortrait(first);
      await refusedAsNamed(await remove('site/portrait/a'), 'site/portrait/a');
      await site.discardSection(saved);
      await savePortrait(second);
      assert.equal((await remove('site/portrait/a')).status, 204);
      await publish();
      await refusedAsNamed(await remove('site/portrait/b'), 'site/portrait/b');
      assert.equal((await remove('site/portrait/a')).status, 404);
      assert.deepEqual([await isThere(first), await isThere(second)], [false, true]);
    });

    it('can be deleted once 50 newer versions are published', async (t) => {
      const { server, admin, add, remove, savePortrait, publish, isThere } = await start(t);
      const [first, second] = [await add('site/portrait/a'), await add('site/portrait/b')];
      await savePortrait(first);
      const { version } = await publish();
      await savePortrait(second);
      await publish();
      const row = await server.database
        .selectFrom('siteVersions')
        .selectAll()
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      for (let newer = version + 2; newer < version + 50; newer += 1)
        await server.database
          .insertInto('siteVersions')
          .values({ ...row, version: newer })
          .execute();
      await server.database
        .updateTable('siteState')
        .set({ version: version + 49 })
        .execute();
      await refusedAsNamed(await remove('site/portrait/a'), 'site/portrait/a');
      assert.equal(await publishName(admin.client, 'A quinquagésima'), version + 50);
      assert.equal((await remove('site/portrait/a')).status, 204);
      assert.deepEqual([await isThere(first), await isThere(second)], [false, true]);
    });

    it('are deleted by the clean-up after 30 days, unless they are named', async (t) => {
      const { server, add, savePortrait, publish, isThere } = await start(t);
      const published = await add('site/portrait/publicado');
      await savePortrait(published);
      await publish();
      const drafted = await add('site/portrait/rascunho');
      await savePortrait(drafted);
      const unnamed = [await add('site/profile/esquecido'), await add('site/audio/esquecido')];
      const ofLibrary = await add('postImages/mind/a');
      const fileStore = openDiskStore(server.dataDir);
      const context = { database: server.database, databaseKind: kind, fileStore };
      const cleanUp = async (now: number) => {
        await deleteUnnamedSiteFiles(context, lockKeptFiles, now);
        await cleanUpFiles(context);
      };
      await cleanUp(Date.now() + 30 * day - 60_000);
      for (const url of unnamed) assert.ok(await isThere(url), url);
      await cleanUp(Date.now() + 30 * day + 60_000);
      for (const url of unnamed) assert.ok(!(await isThere(url)), url);
      for (const url of [published, drafted, ofLibrary]) assert.ok(await isThere(url), url);
      const contents = await readdir(path.join(server.dataDir, 'files'), {
        recursive: true,
        withFileTypes: true,
      });
      // Each picture has six files: the original, the full size, and two widths in two formats each.
      assert.equal(contents.filter((entry) => entry.isFile()).length, 3 * 6);
    });

    it('are checked before a publication: each must exist, with the right token', async (t) => {
      const { site, server, add, savePortrait, isThere } = await start(t);
      const url = await add('site/portrait/a');
      for (const wrong of [url.replace('/a?', '/b?'), `${url}x`, '/files/site/portrait/c?token=d']) {
        const { problems } = await savePortrait(wrong);
        assert.deepEqual(problems, [{ path: 'hero.portrait.file', message: missingImage }]);
      }
      const { content } = sectionOf(await site.getDraft(), 'home');
      const listen = { ...content.listen, audio: '/files/site/audio/a?token=b' };
      await site.saveSection(withFields(await site.getDraft(), 'home', { listen }));
      const expected = [
        { path: 'hero.portrait.file', message: missingImage },
        { path: 'listen.audio', message: missingAudio },
      ];
      const draft = await site.getDraft();
      assert.deepEqual(sectionOf(draft, 'home').problems, expected);
      await assert.rejects(site.publish(draft.tag, { warningsConfirmed: true }), (error: Issues) => {
        assert.equal(error.code, 'site/not-publishable');
        assert.deepEqual(
          error.issues,
          expected.map((issue) => ({ ...issue, path: `home.${issue.path}` })),
        );
        return true;
      });
      assert.ok(await isThere(url));
      assert.match(await (await fetch(`${server.url}${paths.site.content()}`)).text(), /"version":1,/);
    });

    it('are deleted with the last version that names them, when an admin erases it', async (t) => {
      const { admin, site, add, savePortrait, publish, isThere } = await start(t);
      const [first, second] = [await add('site/portrait/a'), await add('site/portrait/b')];
      await savePortrait(first);
      const versions = [(await publish()).version];
      await savePortrait(second);
      versions.push((await publish()).version);
      await savePortrait(first);
      versions.push((await publish()).version);
      await publishName(admin.client, 'Outro nome');
      const [one = 0, two = 0] = versions;
      await site.eraseVersion(two);
      assert.deepEqual([await isThere(first), await isThere(second)], [true, false]);
      await site.eraseVersion(one);
      assert.equal(await isThere(first), true, 'newer versions name it');
    });

    it('show a problem when an older version is restored without its file', async (t) => {
      const { server, site, add, savePortrait, publish } = await start(t);
      await savePortrait(await add('site/portrait/a'));
      const { version } = await publish();
      await savePortrait(await add('site/portrait/b'));
      await publish();
      await server.database.deleteFrom('files').where('path', '=', 'site/portrait/a').execute();
      await site.restoreVersion(version, (await site.getDraft()).tag);
      const { problems } = sectionOf(await site.getDraft(), 'home');
      assert.deepEqual(problems, [{ path: 'hero.portrait.file', message: missingImage }]);
      await assert.rejects(publish(), (error: Issues) => error.code === 'site/not-publishable');
    });

    it('are never missing in what is published, when they are deleted at the same moment', async (t) => {
      const { server, site, add, remove, savePortrait, publish, isThere } = await start(t);
      const context = { database: server.database };
      for (let round = 0; round < 8; round += 1) {
        const file = `site/portrait/r${round}`;
        const url = await add(file);
        const identity = { ...realIdentity, shortName: `Clínica ${round}` };
        await site.saveSection(withFields(await site.getDraft(), 'identity', identity));
        const [published, removed] = await Promise.allSettled([
          savePortrait(url).then(publish),
          remove(file),
          deleteUnnamedSiteFiles(context, lockKeptFiles, Date.now() + 40 * day),
        ]);
        const { version } = await site.getDraft();
        const { home } = await server.visitor.client.site.getContent();
        if (published.status === 'fulfilled') {
          assert.equal(home.hero.portrait.file, url);
          assert.ok(await isThere(url));
          assert.ok(removed.status === 'fulfilled' && [404, 409].includes(removed.value.status));
        } else {
          assert.equal((published.reason as Issues).code, 'site/not-publishable');
          assert.notEqual(home.hero.portrait.file, url);
          assert.equal(await isThere(url), false);
          await site.restoreVersion(version, (await site.getDraft()).tag);
        }
      }
    });
  });
}
