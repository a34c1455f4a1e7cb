import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { png } from '#server/testing/pictures.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { listAdminIds, startTestServer } from '#server/testing/server.ts';
import {
  account,
  content,
  document,
  largeProject,
  list,
  practice,
  smallProject,
  userRecord,
  writeProject,
} from './testing/fixture.ts';
import { digestsIn, dump, importFrom, readReport, runImport, startWith } from './testing/run.ts';

for (const kind of allDatabaseKinds) {
  describe(`the import from Firebase on ${kind}`, () => {
    it('imports 10,000 accounts, except those that it reports; a user signs in with the old password, which replaces the imported hash', async (t) => {
      const project = await largeProject();
      const server = await startTestServer(t, kind);
      const folder = await writeProject(t, project);
      // In a process of its own: in this one, the server's writes would wait for the import, and block it.
      const { output: message } = await runImport(server, 'firebase', folder);
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
      assert.deepEqual(counts, { ...counts, users: 9_961, mind: 250, move: 250, nutri: 250, values: 250 });
    });

    it('only named users become admins, whatever the documents and the custom claims say', async (t) => {
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

    it('refuses an admin whom the export lacks, and on a published site one with an unverified email address', async (t) => {
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

    it('a second --dry-run changes nothing and prints the same; where no installation exists yet, it creates nothing', async (t) => {
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
