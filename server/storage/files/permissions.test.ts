import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appCheckHeader } from '#contract/app-check.ts';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { storageMessages, tusVersion } from '#contract/storage.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { digestHeader, mp3, storageOf } from '#server/testing/storage.ts';

const audio = 'postAudios/mind/respirar';

async function refusalOf(response: Response) {
  const { code, message } = errorBody.parse(await response.json());
  return { status: response.status, code, message };
}

for (const kind of databaseKinds) {
  describe(`permissions of files on ${kind}`, { concurrency: 2 }, () => {
    it('lets only editors and admins add, read and delete the files of the library and of the site', async (t) => {
      const server = await startTestServer(t, kind);
      const callers = {
        patient: storageOf(await server.join('no')),
        member: storageOf(await server.join('member')),
        editor: storageOf(await server.join('editor')),
        admin: storageOf(await server.join('admin')),
      };
      const files = ['postImages/mind/a', 'postImages/values/theory/b', 'postAudios/fun/c', audio];
      files.push('site/portrait/d', 'site/profile/e', 'site/audio/f');
      for (const path of files) {
        const content = /audio/i.test(path) ? mp3(2_000) : await png();
        for (const [who, user] of Object.entries(callers)) {
          const may = who === 'editor' || who === 'admin';
          // A caller without permission gets the same response whether or not the file exists.
          if (!may) {
            const refused = {
              status: 403,
              code: 'storage/unauthorized',
              message: storageMessages.unauthorized(path),
            };
            const responses = [
              await user.send(path, content),
              (await user.start(path, 300_000)).response,
              await user.metadata(path),
              await user.call(paths.storage.downloadUrl(path)),
              await user.call(paths.storage.object(path), { method: 'DELETE' }),
            ];
            for (const response of responses)
              assert.deepEqual(await refusalOf(response), refused, `${who} ${path}`);
            continue;
          }
          assert.equal((await user.send(path, content)).status, 201);
          assert.equal((await user.metadata(path)).status, 200);
          const removed = await user.call(paths.storage.object(path), { method: 'DELETE' });
          assert.equal(removed.status, 204);
          assert.equal((await user.metadata(path)).status, 404);
        }
      }
    });

    it('lets users add and delete their own profile picture; admins may read it', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia, admin] = [await server.join(), await server.join(), await server.join('admin')];
      const editor = await server.join('editor');
      const path = `profilePics/${ana.uid}/foto`;
      const picture = await png();
      for (const stranger of [bia, editor, admin]) {
        assert.equal((await storageOf(stranger).send(path, picture)).status, 403);
      }
      assert.equal((await storageOf(ana).send(path, picture)).status, 201);
      assert.equal((await storageOf(ana).metadata(path)).status, 200);
      for (const stranger of [bia, editor])
        assert.equal((await storageOf(stranger).metadata(path)).status, 403);
      assert.equal((await storageOf(admin).metadata(path)).status, 200);
      const remove = (user: typeof ana) =>
        storageOf(user).call(paths.storage.object(path), { method: 'DELETE' });
      assert.equal((await remove(admin)).status, 403);
      assert.equal((await remove(ana)).status, 204);
    });

    it('hides uploads from all users except their owner', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const begun = await storageOf(ana).start(audio, 300_000);
      const headers = { ...(await storageOf(bia).proofs()), 'tus-resumable': tusVersion };
      for (const method of ['HEAD', 'DELETE']) {
        assert.equal((await bia.fetch(begun.url, { method, headers })).status, 404);
      }
      const patch = await storageOf(bia).patch({ url: begun.url, headers }, 0, mp3(300_000), {
        headers: digestHeader(mp3(300_000)),
      });
      assert.equal(patch.status, 404);
      const own = await bia.fetch(paths.storage.metadata('postAudios/mind/nada'), { headers });
      assert.equal(own.status, 404, 'as for an unknown upload, the app-check token is not spent');
      assert.equal((await ana.fetch(begun.url, { method: 'HEAD', headers: begun.headers })).status, 200);
    });

    it('ends an upload when its owner loses the role', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('admin');
      const storage = storageOf(ana);
      const begun = await storage.start(audio, 300_000);
      await server.database.updateTable('users').set({ member: 'no' }).where('id', '=', ana.uid).execute();
      assert.equal((await storage.patch(begun, 0, mp3(10))).status, 403);
    });

    it('requires a bearer of an open session in every call', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('admin');
      const storage = storageOf(ana);
      const { authorization = '', ...check } = await storage.proofs();
      const [text = '', signature = ''] = authorization.replace('Bearer ', '').split('.');
      const later = Buffer.from(text, 'base64url')
        .toString()
        .replace(/"expiresAt":\d/, '"expiresAt":9');
      const forged = `Bearer ${Buffer.from(later).toString('base64url')}.${signature}`;
      const refused = {
        status: 401,
        code: 'storage/unauthenticated',
        message: storageMessages.unauthenticated,
      };
      for (const wrong of [
        '',
        'Bearer',
        'Bearer x',
        `Basic ${text}.${signature}`,
        `${authorization}x`,
        forged,
      ]) {
        const response = await ana.fetch(paths.storage.metadata(audio), {
          headers: { ...check, ...(wrong && { authorization: wrong }) },
        });
        assert.deepEqual(await refusalOf(response), refused, wrong);
      }
      await ana.client.auth.signOut();
      const response = await ana.fetch(paths.storage.metadata(audio), {
        headers: { authorization, ...check },
      });
      assert.deepEqual(await refusalOf(response), refused);
    });

    it('requires an app-check token in every call, which is valid once', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join('admin'), await server.join('admin')];
      const proofs = await storageOf(ana).proofs();
      const refused = {
        status: 401,
        code: 'storage/unauthorized-app',
        message: storageMessages.unauthorizedApp,
      };
      const ask = (headers: Record<string, string>) => ana.fetch(paths.storage.metadata(audio), { headers });
      const { [appCheckHeader]: _, ...without } = proofs;
      assert.deepEqual(await refusalOf(await ask(without)), refused);
      const others = { ...proofs, ...(await bia.appCheck()) };
      assert.deepEqual(await refusalOf(await ask(others)), refused);
      assert.equal((await ask(proofs)).status, 404);
      assert.deepEqual(await refusalOf(await ask(proofs)), refused);
    });

    it('allows no other origin to read or change anything', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('admin');
      const storage = storageOf(ana);
      const begun = await storage.start(audio, 300_000);
      for (const [method, url] of [
        ['OPTIONS', paths.storage.resumable],
        ['OPTIONS', begun.url],
        ['HEAD', begun.url],
        ['PATCH', begun.url],
        ['POST', paths.storage.resumable],
        ['DELETE', begun.url],
      ] as const) {
        const headers = { ...begun.headers, origin: 'https://outro.example', 'upload-offset': '0' };
        const response = await fetch(server.url + url, { method, headers });
        assert.equal(response.headers.get('access-control-allow-origin'), null, `${method} ${url}`);
        if (['PATCH', 'POST', 'DELETE'].includes(method)) assert.equal(response.status, 403);
        await response.arrayBuffer();
      }
      assert.equal((await ana.fetch(begun.url, { method: 'HEAD', headers: begun.headers })).status, 200);
    });

    it('accepts an app-check token for all calls of one upload, and for no other', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join('admin');
      const storage = storageOf(ana);
      const [first, second] = [await storage.start(audio, 300_000), await storage.start(audio, 300_000)];
      const head = async (url: string, headers: Record<string, string>) =>
        (await ana.fetch(url, { method: 'HEAD', headers })).status;
      assert.equal(await head(first.url, first.headers), 200);
      assert.equal(await head(first.url, first.headers), 200);
      assert.equal(await head(second.url, first.headers), 401);
      assert.equal((await ana.fetch(paths.storage.metadata(audio), { headers: first.headers })).status, 401);
      // After a reload, the page has a new app-check token. The server binds it to the upload as well.
      const fresh = { ...first.headers, ...(await ana.appCheck()) };
      const both = await Promise.all([head(first.url, fresh), head(first.url, fresh)]);
      assert.deepEqual(both, [200, 200]);
      assert.equal(await head(second.url, fresh), 401);
    });
  });
}
