import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { listAdminIds, startTestServer, type TestServer } from '#server/testing/server.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import {
  account,
  bucket,
  content,
  document,
  downloadUrl,
  googleInfo,
  largeProject,
  list,
  practice,
  smallProject,
  userRecord,
  writeProject,
} from './testing/fixture.ts';
import { digestsIn, dump, importFrom, readReport, runImport, startWith } from './testing/run.ts';

/** Whether a URL of the import, on this site, responds with 200. */
const statusOf = async (server: TestServer, url: string) =>
  (await fetch(server.url + url.replace(server.origin, ''))).status;

const urlsIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/(?:http:\/\/localhost:3000)?\/files\/[\w/-]+\?token=[\w-]+/g)].map(
    ([url]) => url,
  );

for (const kind of databaseKinds) {
  describe(`the import from Firebase on ${kind}`, () => {
    it('10,000 accounts with lists, mood records and files are imported; an imported person signs in with the old password, the hash is ours afterwards', async (t) => {
      const project = await largeProject();
      const { server, folder, message } = await startWith(t, kind, project);
      const report = await readReport(folder);
      assert.deepEqual(report.rejected, []);
      assert.equal(report.notImported.length, 100, '40 accounts, their 40 records and 20 mood records');
      assert.match(
        message,
        /^Contas: 9\.960, das quais 9\.460 com senha e 500 com Google; da administração: 0$/m,
      );
      assert.match(message, /^Práticas: 1\.000$/m);
      assert.match(message, /Pronto: tudo isso foi importado\./);

      const { localId = '', email = '' } = project.accounts[0] as Record<string, string>;
      const stored = () =>
        server.database
          .selectFrom('accounts')
          .select('password')
          .where('userId', '=', localId)
          .executeTakeFirstOrThrow();
      assert.match((await stored()).password ?? '', /^firebase:14:8:/);
      const { client } = server.visitor;
      await assert.rejects(
        client.auth.signIn({ email, password: 'errada12345' }),
        refusedWith('auth/invalid-credentials'),
      );
      assert.match((await stored()).password ?? '', /^firebase:/, 'a wrong password changes nothing');
      const password = `Senha${localId}`;
      await client.auth.signIn({ email, password });
      assert.match((await stored()).password ?? '', /^[0-9a-f]{32}:[0-9a-f]{128}$/);
      await client.auth.signOut();
      await client.auth.signIn({ email, password });
      const record = await client.documents.getUser(localId);
      assert.equal(record === false ? '' : record.displayName, `Pessoa ${localId}`);
      assert.deepEqual(await client.documents.getWordMood(localId), {
        words: ['calma', 'medo'],
        scores: [1, 2.5],
        uid: localId,
      });

      const admin = await server.join('admin');
      const page = await admin.client.documents.listUsers({ search: 'pessoa0000000000000000009998' });
      assert.deepEqual([page.total, page.documents[0]?.createdAt], [1, 1_600_000_000_000]);
      const counts = await admin.client.documents.getCounts();
      assert.deepEqual(counts, { users: 9_961, mind: 250, move: 250, nutri: 250, values: 250 });
    });

    it('nobody is admin unless named, whatever the documents and the custom claims say', async (t) => {
      const project = await smallProject(false);
      project.accounts.push(account('zeca', { customAttributes: '{"admin":true}' }));
      project.documents.push(
        userRecord('zeca', { member: 'admin', email: 'bia@exemplo.com.br', role: 'admin' }),
      );
      const { server, folder, message } = await startWith(t, kind, project, {
        admins: ['EVA@exemplo.com.br'],
      });
      assert.deepEqual(await listAdminIds(server.database), ['eva']);
      assert.deepEqual((await readReport(folder)).saidToBeAdmin, [
        { id: 'ana', email: 'ana@exemplo.com.br' },
        { id: 'zeca', email: 'zeca@exemplo.com.br' },
      ]);
      assert.match(message, /2 contas dizem ser da administração\. Isto não vale/);
      const roles = await server.database
        .selectFrom('users')
        .select(['id', 'member'])
        .orderBy('id')
        .execute();
      assert.deepEqual(
        roles.map(({ id, member }) => `${id} ${member}`),
        ['ana member', 'bia member', 'eva admin', 'zeca member'],
      );
    });

    it('refuses to name an admin whom the export lacks, or on a published site one with an unverified email address', async (t) => {
      const server = await startTestServer(t, kind);
      const folder = await writeProject(t, await smallProject(false));
      const published = {
        ...server,
        settings: { PUBLIC_URL: 'https://clinica.exemplo.com.br', TRUSTED_PROXIES: 'loopback' },
      };
      const before = await dump(server.database);
      for (const [target, email, says] of [
        [
          server,
          'ninguem@exemplo.com.br',
          /não há conta .* ninguem@exemplo\.com\.br\. Nada foi importado\.$/,
        ],
        [server, 'caio@exemplo.com.br', /não há conta/],
        [
          published,
          'eva@exemplo.com.br',
          /não confirmou o e-mail .* npm run admin -- grant eva@exemplo\.com\.br --unverified$/,
        ],
      ] as const)
        await assert.rejects(importFrom(target, folder, { admins: [email] }), {
          name: 'StartError',
          message: says,
        });
      assert.deepEqual(await dump(server.database), before);
    });

    it('every rewritten address answers 200, and the bytes are those of the old file', async (t) => {
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

    it('only the user of a mood record and admins read the metadata of its files, and they go with the account', async (t) => {
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
      assert.equal((await storageOf(stranger).metadata(path)).status, 403);
      assert.equal((await storageOf(admin).metadata(path)).status, 200);
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
      assert.match(exported, /"what":"wordMood"/, 'the access log has the look of the admin');
      await client.auth.deleteAccount('senhaDaAna1');
      assert.equal(await statusOf(server, url), 404);
      assert.deepEqual(
        await server.database.selectFrom('files').select('path').where('path', 'like', '%ana%').execute(),
        [],
      );
    });

    it('keeps what belongs to an account: verification, time, category, Google and ids; unusual ids change everywhere', async (t) => {
      const project = await smallProject(false);
      const odd = 'uid com espaço/é';
      project.accounts.push(
        account(odd, { email: 'Odete@Exemplo.com.br', createdAt: '1500000000000' }, 'séNha çom 1'),
      );
      project.documents.push(
        document('wordMood/outra', {}),
        list('moveActsList', [
          practice('id com espaço', 'move', { createdAt: new Date(1_640_000_000_000), updatedAt: null }),
        ]),
      );
      project.documents.push({
        ...userRecord('x'),
        name: userRecord('x').name.replace(/users\/x$/, 'users/uid com espaço'),
      });
      project.accounts.push(account('uid com espaço', { email: 'espaco@exemplo.com.br' }));
      project.documents.push(
        document('wordMood/uid com espaço', { owner: 'uid com espaço', did: ['id com espaço'] }),
      );
      const { server } = await startWith(t, kind, project);
      const bia = await server.database
        .selectFrom('users')
        .selectAll()
        .where('id', '=', 'bia')
        .executeTakeFirstOrThrow();
      assert.deepEqual(
        [bia.category, bia.profilePic, Boolean(bia.emailVerified), Boolean(bia.ownName)],
        ['patient', 'https://lh3.googleusercontent.com/a/b', true, false],
      );
      const signIns = await server.database
        .selectFrom('accounts')
        .select(['providerId', 'accountId'])
        .where('userId', '=', 'bia')
        .execute();
      assert.deepEqual(
        signIns.map(({ providerId, accountId }) => [providerId, accountId]),
        [['google', '1234567890']],
      );
      const { client } = server.visitor;
      const odete = { email: 'odete@exemplo.com.br', password: 'séNha çom 1' };
      const normalized = { ...odete, password: odete.password.normalize('NFD') };
      await assert.rejects(
        client.auth.signIn(normalized),
        refusedWith('auth/invalid-credentials'),
        'Firebase does not normalize Unicode',
      );
      await client.auth.signIn(odete);
      const { user } = (await client.auth.findSession()) ?? assert.fail();
      assert.match(user.uid, /^f[\w-]{27}$/);
      await assert.doesNotReject(client.documents.getUser(user.uid));
      const moods = await server.database
        .selectFrom('wordMood')
        .selectAll()
        .where('uid', 'like', 'f%')
        .execute();
      const [moved] = (await client.documents.getActivities('moveActsList')).activities;
      assert.deepEqual(
        moods.map(({ uid, record }) => [uid, JSON.parse(record)]),
        [[moods[0]?.uid, { owner: moods[0]?.uid, did: [moved?.id] }]],
      );
      assert.deepEqual([moved?.createdAt, moved?.updatedAt], [1_640_000_000_000, 1_640_000_000_000]);
    });

    it('rejected.json explains each rejection, and nothing is imported without --skip-invalid', async (t) => {
      const project = await smallProject(false);
      project.accounts.push(
        account('ANA2', { email: 'ANA@exemplo.com.br' }),
        account('semdata', { createdAt: 'ontem' }),
        account('hash', { passwordHash: 'AAAA' }),
        account('google2', googleInfo('1234567890')),
        account('torto', { email: 'não é e-mail' }),
      );
      project.documents.push(
        userRecord('hash', {
          profilePic: downloadUrl('fotos/nenhuma.png'),
          staff: 'sim',
          category: 'x'.repeat(61),
        }),
        document('wordMood/eva', { note: `Veja gs://${bucket}/nada.png` }),
        list('nutriActsList', [
          practice('ok', 'nutri', { image: downloadUrl('postImages/nutri/texto') }),
          practice('eixo', 'mind'),
          practice('um', 'nutri'),
          practice('script', 'nutri', { url: 'javascript:alert(1)' }),
          practice('vazia', 'nutri', { title: ' ' }),
          'texto',
        ]),
        { ...document('wordMood/bia', {}), fields: { x: { doubleValue: 'NaN' } } },
      );
      project.contents.push(
        content(
          'postImages/nutri/texto',
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
          'image/png',
        ),
      );
      const server = await startTestServer(t, kind);
      const folder = await writeProject(t, project);
      await assert.rejects(importFrom(server, folder), {
        name: 'StartError',
        message: /Nada foi importado, porque há \d+ recusas\. Leia rejected\.json/,
      });
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      const file = path.join(path.dirname(folder), 'rejected.json');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const { rejected, notImported } = await readReport(folder);
      const seen = rejected.map(({ id, field, reason }) => `${id} ${field}: ${reason}`).sort();
      assert.deepEqual(seen, [
        'accounts/ANA2 email: A conta ana tem o mesmo e-mail, talvez com outras maiúsculas.',
        'accounts/google2 providerUserInfo.rawId: Outra conta já usa esta conta do Google. A conta ficaria sem a entrada com o Google.',
        'accounts/hash passwordHash: A senha não tem o formato do Firebase. A conta ficaria sem senha.',
        'accounts/semdata createdAt: A conta não diz quando foi criada.',
        'accounts/torto email: Este e-mail não é aceito.',
        'activities/nutriActsList nutriActsList.0.image: Aqui há o endereço de um arquivo que foi recusado. Não é uma imagem (JPEG, PNG, WebP ou AVIF) nem um áudio (MP3, M4A, AAC, OGG ou WAV).',
        'activities/nutriActsList nutriActsList.1.axis: Este eixo fica em outra lista.',
        'activities/nutriActsList nutriActsList.2.id: Outra prática já tem esta identificação.',
        'activities/nutriActsList nutriActsList.3.url: Use um link que comece com https://.',
        'activities/nutriActsList nutriActsList.4.title: Preencha este campo.',
        'activities/nutriActsList nutriActsList.5: Isto não é uma prática.',
        `files/${bucket}/postImages/nutri/texto : Não é uma imagem (JPEG, PNG, WebP ou AVIF) nem um áudio (MP3, M4A, AAC, OGG ou WAV).`,
        seen.find((line) => line.startsWith('users/hash category: ')) ?? '',
        'users/hash profilePic: Aqui há o endereço de um arquivo que a exportação não tem.',
        'users/hash staff: Aqui só cabe sim ou não (true ou false).',
        'wordMood/bia : Há um número que não se pode guardar.',
        'wordMood/eva note: Aqui há o endereço de um arquivo que a exportação não tem.',
      ]);
      const leftOut = notImported.map(({ id, reason }) => `${id}: ${reason}`).sort();
      assert.deepEqual(leftOut, [
        'accounts/anonima: A conta é anônima.',
        'accounts/caio: A conta está desativada.',
        'accounts/davi: A conta não tem e-mail.',
        'accounts/eva: A verificação em duas etapas precisa ser ligada de novo.',
        'accounts/hash: A conta não tem senha nem Google: a pessoa entra com “Esqueceu a senha?”.',
        'users/apagada: Nenhuma conta importada tem esta identificação.',
      ]);

      await importFrom(server, folder, { skipInvalid: true });
      const users = await server.database.selectFrom('users').select('id').orderBy('id').execute();
      assert.deepEqual(
        users.map(({ id }) => id),
        ['ana', 'bia', 'eva', 'google2', 'hash'],
      );
      const { activities } = await server.visitor.client.documents.getActivities('nutriActsList');
      assert.deepEqual(
        activities.map(({ id, image }) => [id, image]),
        [['ok', '']],
      );
      const eva = await server.database
        .selectFrom('wordMood')
        .select('record')
        .where('uid', '=', 'eva')
        .executeTakeFirst();
      assert.match(eva?.record ?? '', /gs:/, 'the patient keeps the record with its old address');
    });

    it('a second --dry-run changes nothing and prints the same; on an installation that does not exist yet, it creates nothing', async (t) => {
      const server = await startTestServer(t, kind);
      const project = await smallProject(false);
      const picture = await png(60, 40);
      project.contents.push(content('postImages/mind/foto', picture, 'image/png'));
      const folder = await writeProject(t, project);
      const first = await runImport(server, 'firebase', folder, '--dry-run');
      assert.equal(first.code, 0, first.output);
      assert.match(first.output, /^Isto foi só uma conferência: nada foi importado nem mudado\./m);
      const state = async () => [
        await dump(server.database),
        await digestsIn(server.dataDir),
        await digestsIn(folder),
      ];
      const before = await state();
      assert.deepEqual(await runImport(server, 'firebase', folder, '--dry-run'), first);
      assert.deepEqual(await state(), before);
      if (kind === 'postgres') return;
      const dataDir = path.join(path.dirname(folder), 'nova');
      const onNew = await importFrom({ dataDir, databaseUrl: undefined }, folder, { isDryRun: true });
      assert.equal(onNew, first.output);
      await assert.rejects(stat(dataDir), { code: 'ENOENT' });
    });
  });
}
