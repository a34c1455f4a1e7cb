import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import type { TestServer } from '#server/testing/server.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { bucket, content, document, downloadUrl, list, practice, smallProject } from './testing/fixture.ts';
import { dump, startWith } from './testing/run.ts';

/** Requests one of the URLs that the import wrote. @returns the status of the test server's response */
const statusOf = async (server: TestServer, url: string) =>
  (await fetch(server.url + url.replace(server.origin, ''))).status;

const urlsIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/(?:http:\/\/localhost:3000)?\/files\/[\w/-]+\?token=[\w-]+/g)].map(
    ([url]) => url,
  );

for (const kind of databaseKinds) {
  describe(`the files of an import from Firebase on ${kind}`, () => {
    it('every rewritten URL responds with 200 and the bytes of the old file', async (t) => {
      const project = await smallProject();
      const audio = 'postAudios/mind/som1';
      const second = `${project.id}.firebasestorage.app`;
      const odd = 'Sons da clínica/praia (1).mp3';
      project.contents.push(content(odd, mp3(3_000, 7), 'audio/mpeg', second));
      const forms = [
        downloadUrl(audio),
        `https://firebasestorage.googleapis.com/v0/b/${bucket}/o/${audio}?alt=media`,
        `https://firebasestorage.googleapis.com:443/v0/b/${second}/o/${encodeURIComponent(audio)}`,
        `https://storage.googleapis.com/${bucket}/${audio}`,
        `https://${bucket}.storage.googleapis.com/${audio}?x=1#t`,
        `https://storage.googleapis.com/download/storage/v1/b/${bucket}/o/${encodeURIComponent(audio)}?alt=media`,
        `https://storage.cloud.google.com/${bucket}/${audio}`,
        `gs://${bucket}/${audio}`,
        downloadUrl(odd, second),
        `https://storage.googleapis.com/${second}/${encodeURI(odd)}`,
      ];
      const encoded = encodeURIComponent(downloadUrl(audio));
      const sentence = forms.map((form) => `Ouça (${form}).`).join('\n');
      project.documents.push(
        list('moveActsList', [
          practice('formas', 'move', {
            content: `${sentence}\nhttps://exemplo.com.br/ver?u=${encoded}&x=1`,
            url: downloadUrl(audio),
            title: `Veja ${forms[3]}`,
          }),
        ]),
        document('wordMood/bia', {
          images: forms,
          [`a${'b'.repeat(20)}`]: { deep: [`Sonhei com ${forms[0]}, e acordei.`] },
        }),
      );
      const { server } = await startWith(t, kind, project);
      const rows = await dump(server.database);
      assert.doesNotMatch(
        JSON.stringify([rows.activities, rows.users, rows.wordMood]),
        /firebasestorage|storage\.googleapis|gs:\/\//,
      );
      assert.match(
        JSON.stringify(rows.wordMood),
        /"images\\*":\[\\*"\/files\//,
        'a URL alone becomes a path',
      );
      const urls = urlsIn([rows.activities, rows.users, rows.wordMood]);
      assert.ok(urls.length > 25, `${urls.length}`);
      for (const url of urls) assert.equal(await statusOf(server, url), 200, url);
      const { content: text = '', url = '' } =
        (await server.visitor.client.documents.getActivities('moveActsList')).activities[0] ?? {};
      assert.equal(text.match(/^Ouça \(http:\/\/localhost:3000\/files\/[^)]+\)\.$/gm)?.length, forms.length);
      assert.match(
        text,
        /\?u=http%3A%2F%2Flocalhost%3A3000%2Ffiles%2FpostAudios%2Fmind%2Fsom1%3Ftoken%3D[\w-]+&x=1$/,
      );
      const served = await fetch(url.replace(server.origin, server.url));
      assert.equal(served.headers.get('content-type'), 'audio/mpeg');
      assert.equal(
        sha256Of(await served.bytes()),
        sha256Of(project.contents.find(({ name }) => name === audio)?.content ?? new Uint8Array()),
      );

      const [image] = (await server.visitor.client.documents.getActivities('mindActsList')).activities;
      assert.match(image?.image ?? '', /^\/files\/postImages\/mind\/theory\/abc\?token=/);
      for (const width of ['480', '960'])
        assert.equal(
          await statusOf(server, `${image?.image}&width=${width}`),
          200,
          'pictures have their versions',
        );
    });

    it('only the user of a mood record reads the metadata of its files, which are deleted with the account', async (t) => {
      const project = await smallProject(false);
      const drawing = content('humor/ana/desenho.png', await png(60, 40), 'image/png');
      project.contents.push(drawing);
      project.documents = project.documents.filter(({ name }) => !name.endsWith('/wordMood/ana'));
      project.documents.push(document('wordMood/ana', { note: `Veja ${downloadUrl(drawing.name)}.` }));
      const { server } = await startWith(t, kind, project);
      const { client, fetch: get } = server.visitor;
      await client.auth.signIn({ email: 'ana@exemplo.com.br', password: 'senhaDaAna1' });
      const mood = await client.documents.getWordMood('ana');
      const [url = ''] = urlsIn(mood);
      const path = /\/files\/([^?]+)/.exec(url)?.[1] ?? '';
      assert.match(path, /^moodImages\/ana\//);
      assert.equal((await storageOf(server.visitor).metadata(path)).status, 200);
      const [stranger, admin] = [await server.join(), await server.join('admin')];
      for (const other of [stranger, admin])
        assert.equal((await storageOf(other).metadata(path)).status, 403);
      for (const user of [server.visitor, admin]) {
        const file = Uint8Array.from([1]);
        assert.equal((await storageOf(user).send(path, file)).status, 403, 'only an import writes them');
        assert.equal(
          (await storageOf(user).call(paths.storage.object(path), { method: 'DELETE' })).status,
          403,
        );
      }
      assert.match(
        (await fetch(server.url + url.replace(server.origin, ''))).headers.get('cache-control') ?? '',
        /^private/,
      );
      const exported = JSON.stringify(await (await get(paths.documents.accountExport)).json());
      assert.match(exported, new RegExp(path));
      await client.auth.deleteAccount({ password: 'senhaDaAna1' });
      assert.equal(await statusOf(server, url), 404);
      assert.deepEqual(
        await server.database.selectFrom('files').select('path').where('path', 'like', '%ana%').execute(),
        [],
      );
    });
  });
}
