import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { lockDataFolder } from '#server/database/installation/data-folder.ts';
import { requireContentsFolder } from '#server/database/installation/installation.ts';
import { announceInstance } from '#server/database/leases.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer } from '#server/testing/server.ts';
import { contentName } from './read-export.ts';
import {
  account,
  bucket,
  content,
  document,
  downloadUrl,
  hashConfig,
  list,
  type Project,
  practice,
  smallProject,
  userRecord,
  writeProject,
} from './testing/fixture.ts';
import { dump, importFrom, readReport, runImport, startWith } from './testing/run.ts';

/** A change to the exported folder, and a pattern for the sentence with which the import refuses it. */
type Case = [name: string, change: (folder: string) => Promise<unknown>, says: RegExp];

const edit = (name: string, change: (text: string) => string) => async (folder: string) => {
  const file = path.join(folder, name);
  await writeFile(file, change(await readFile(file, 'utf8')));
};
const cut = (name: string) => edit(name, (text) => text.slice(0, -20));
const withoutLine = (name: string) =>
  edit(name, (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
const hashes = (changes: object) =>
  edit('hash-config.json', () => JSON.stringify({ ...hashConfig, ...changes }));
const replaceBy = (name: string, bytes: string | Uint8Array) => (folder: string) =>
  writeFile(path.join(folder, name), bytes);

const csv = 'ana,ana@exemplo.com.br,true,aGFzaA==,c2FsdA==,Ana,,,,,,\n';
const refusals: Case[] = [
  [
    'accounts as CSV',
    (folder) => rename(path.join(folder, 'accounts.json'), path.join(folder, 'accounts.csv')),
    /CSV.*Exporte as contas em JSON\.$/,
  ],
  ['CSV with the name of JSON', replaceBy('accounts.json', csv), /CSV.*Exporte as contas em JSON\.$/],
  ['accounts that end too early', cut('accounts.json'), /accounts\.json está cortado ou foi mudado/],
  [
    'a list without its accounts',
    edit('accounts.json', () => '{"users": []}'),
    /accounts\.json está cortado ou foi mudado: tem 0 itens, e export\.json diz 6/,
  ],
  [
    'accounts without a list',
    edit('accounts.json', () => '{"a": 1}'),
    /não é uma exportação de contas do Firebase/,
  ],
  [
    'hidden hashes',
    edit('accounts.json', (text) =>
      text.replace(/"passwordHash": "[^"]+"/, '"passwordHash": "UkVEQUNURUQ="'),
    ),
    /REDACTED.*papel/,
  ],
  [
    'hidden hashes, not encoded',
    edit('accounts.json', (text) => text.replace(/"passwordHash": "[^"]+"/, '"passwordHash": "REDACTED"')),
    /REDACTED/,
  ],
  ['documents that end in a line', cut('documents.ndjson'), /documents\.ndjson está cortado|não é JSON/],
  [
    'documents that end after a line',
    withoutLine('documents.ndjson'),
    /documents\.ndjson está cortado ou foi mudado: tem \d+ itens/,
  ],
  [
    'a line that is no document',
    edit('documents.ndjson', (text) => `{}\n${text}`),
    /A linha 1 do arquivo .* não é um documento do Firestore/,
  ],
  [
    'a list of files that ends after a line',
    withoutLine('files.ndjson'),
    /files\.ndjson está cortado ou foi mudado/,
  ],
  [
    'a missing file',
    (folder) => rm(path.join(folder, 'files', contentName(bucket, 'postAudios/mind/som1'))),
    /não existe/,
  ],
  [
    'a file that is cut',
    (folder) => truncate(path.join(folder, 'files', contentName(bucket, 'postAudios/mind/som1')), 4_000),
    /está cortado ou foi mudado/,
  ],
  [
    'a file with other bytes',
    replaceBy(`files/${contentName(bucket, 'postAudios/mind/som1')}`, Buffer.alloc(5_000)),
    /está cortado ou foi mudado/,
  ],
  [
    'an export that was stopped',
    (folder) => rm(path.join(folder, 'export.json')),
    /falta export\.json: a exportação não chegou ao fim/,
  ],
  [
    'missing parameters of the hashes',
    (folder) => rm(path.join(folder, 'hash-config.json')),
    /hash-config\.json falta ou está vazio/,
  ],
  ['another algorithm', hashes({ algorithm: 'BCRYPT' }), /SCRYPT/],
  ['a signer key that is too short', hashes({ signerKey: 'AAAA' }), /não tem uma chave válida/],
  [
    'scrypt parameters that use up the memory',
    hashes({ memoryCost: 40 }),
    /números fora do que o Firebase aceita/,
  ],
  [
    'scrypt parameters that use up the time',
    hashes({ rounds: 1e9 }),
    /números fora do que o Firebase aceita/,
  ],
  [
    'text that is not UTF-8',
    replaceBy('documents.ndjson', Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])),
    /não é UTF-8/,
  ],
  [
    'accounts that are not UTF-8',
    replaceBy('accounts.json', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    /não é UTF-8/,
  ],
  [
    'a line of 2 GB',
    (folder) => truncate(path.join(folder, 'documents.ndjson'), 2 ** 31),
    /linha \d+ .* é longa demais/,
  ],
  ['2 GB of accounts', (folder) => truncate(path.join(folder, 'accounts.json'), 2 ** 31), /grande demais/],
  [
    'JSON with too many levels',
    edit('documents.ndjson', () => `${'['.repeat(200_000)}\n`),
    /linha 1 .* não é JSON/,
  ],
  [
    'a link instead of a file',
    async (folder) => {
      await rm(path.join(folder, 'accounts.json'));
      await symlink('/etc/hostname', path.join(folder, 'accounts.json'));
    },
    /não pôde ser lido, ou é um link/,
  ],
];

for (const kind of allDatabaseKinds) {
  describe(`the import from Firebase on ${kind}`, () => {
    it('damaged, hostile and incomplete exports are refused with a sentence, before anything changes', async (t) => {
      const server = await startTestServer(t, kind);
      const before = await dump(server.database);
      const project = await smallProject();
      for (const [name, change, says] of refusals) {
        const folder = await writeProject(t, project);
        await change(folder);
        await assert.rejects(
          importFrom(server, folder, { skipInvalid: true }),
          (error: Error) => {
            assert.equal(error.name, 'StartError', `${name}: ${error.stack}`);
            assert.match(error.message, says, name);
            assert.match(error.message, /Nada foi importado\./, name);
            assert.doesNotMatch(error.message, /\n/, name);
            return true;
          },
          name,
        );
      }
      assert.deepEqual(await dump(server.database), before);
    });

    it('refuses an installation with users, activities or files, and one on which a server runs', async (t) => {
      const folder = await writeProject(t, await smallProject(false));
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const refuses = async () => {
        const { code, output } = await runImport(server, 'firebase', folder, '--dry-run');
        assert.equal(code, 1);
        assert.match(
          output,
          /^Já há dados de um site .* \(tabela users\)\. Nada foi mudado\. Escolha um lugar vazio\.$/,
        );
      };
      await refuses();
      await admin.client.documents.createActivity(sampleActivity());
      await server.database.deleteFrom('users').execute();
      await assert.rejects(importFrom(server, folder), {
        name: 'StartError',
        message: /^Já há dados de um site .* \(tabela activities\)/,
      });
      const empty = await startTestServer(t, kind);
      const end =
        kind === 'sqlite'
          ? lockDataFolder(empty.dataDir)
          : await announceInstance(empty.database, kind, (error) => assert.fail(String(error)));
      const says =
        kind === 'sqlite' ? /^O servidor está no ar em .*: pare-o antes\./ : /^Há um servidor rodando/;
      await assert.rejects(importFrom(empty, folder, { isDryRun: true }), {
        name: 'StartError',
        message: says,
      });
      await assert.rejects(importFrom(empty, folder), { name: 'StartError', message: says });
      await end();
      if (kind === 'postgres') {
        // The server looks for files in its own data folder, so the import must not use another one.
        await requireContentsFolder(empty.database, { ...empty, s3: undefined });
        await assert.rejects(importFrom({ ...empty, dataDir: server.dataDir }, folder), {
          name: 'StartError',
          message: /estão em outra pasta de dados/,
        });
      }
      await importFrom(empty, folder);
    });

    it('hostile names, fields and texts change nothing outside of their place', async (t) => {
      const project = await smallProject();
      const audio =
        project.contents.find(({ contentType }) => contentType === 'audio/mpeg')?.content ?? new Uint8Array();
      const names = [
        '../../../../etc/passwd',
        '/etc/passwd',
        'a\0b',
        '..%2f..%2fx',
        '__proto__',
        'postAudios/mind/../../x',
        '\u202egpj',
        'a\r\nb',
      ];
      const html = '<img src=x onerror=alert(1)><script>alert(1)</script>';
      const hostile: Project = {
        ...project,
        contents: names.map((name) => content(name, audio, 'text/html')),
        accounts: [
          account('ana', { displayName: html }, 'senhaDaAna1'),
          account('__proto__', { email: 'proto@exemplo.com.br' }),
          account('constructor', { email: 'construtor@exemplo.com.br' }),
          account('../../etc', { email: 'caminho@exemplo.com.br' }),
          account('\u001b[2J', { email: 'tela@exemplo.com.br', createdAt: 'x' }),
        ],
        documents: [
          userRecord('__proto__', { member: 'admin', polluted: true }),
          document('wordMood/ana', {
            html,
            links: names.map((name) => downloadUrl(name)),
            'a b': { 'é.b': 1 },
          }),
          {
            ...document('wordMood/__proto__', {}),
            fields: JSON.parse('{"__proto__":{"mapValue":{"fields":{"admin":{"booleanValue":true}}}}}'),
          },
          document('wordMood/constructor', { constructor: { prototype: { admin: true } } }),
          {
            ...document('activities/mindActsList', {}),
            fields: JSON.parse(
              `{"mindActsList":{"arrayValue":{"values":[${'{"arrayValue":{"values":['.repeat(40)}${']}}'.repeat(40)}]}}}`,
            ),
          },
          list('moveActsList', [
            practice('html', 'move', { title: html, content: `${html}\u0000` }),
            practice('bom', 'move', { content: html }),
          ]),
        ],
      };
      const { server, folder } = await startWith(t, kind, hostile, { skipInvalid: true });
      assert.equal(({} as { admin?: unknown }).admin, undefined);
      const paths = (await server.database.selectFrom('files').select('path').execute()).map(
        ({ path }) => path,
      );
      assert.equal(paths.length, names.length);
      for (const file of paths) assert.match(file, /^moodAudios\/ana\/f[\w-]{27}$/);
      const { client } = server.visitor;
      await client.auth.signIn({ email: 'ana@exemplo.com.br', password: 'senhaDaAna1' });
      const mood = await client.documents.getWordMood('ana');
      const links = mood === false ? [] : (mood.links as string[]);
      for (const link of links) assert.equal((await fetch(server.url + link)).status, 200, link);
      const { activities } = await client.documents.getActivities('moveActsList');
      assert.deepEqual(
        activities.map(({ id, content }) => [id, content]),
        [['bom', html]],
      );
      const users = await server.database.selectFrom('users').select(['id', 'member']).execute();
      assert.equal(users.length, 4);
      for (const { id } of users) assert.match(id, /^[\w-]{1,64}$/);
      const { rejected } = await readReport(folder);
      assert.ok(
        rejected.some(({ id }) => id === 'accounts/?[2J'),
        'a terminal gets no control characters',
      );
      assert.ok(rejected.some(({ id, reason }) => id === 'activities/mindActsList' && /níveis/.test(reason)));
      assert.ok(rejected.some(({ id, reason }) => id === 'wordMood/__proto__' && /campo/.test(reason)));
    });
  });
}

it('npm run import explains wrong arguments, refuses a second import, and prints no personal data', async (t) => {
  const parent = await mkdtemp(path.join(tmpdir(), 'acolhe-import-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const target = { dataDir: path.join(parent, 'dados'), databaseUrl: undefined };
  for (const args of [
    [],
    ['firebase'],
    ['firestore', 'x'],
    ['firebase', 'x', 'y'],
    ['firebase', 'x', '--force'],
  ]) {
    const { code, output } = await runImport(target, ...args);
    assert.equal(code, 1);
    assert.match(output, /^Escreva assim: npm run import -- firebase PASTA$/m);
  }
  const folder = await writeProject(t, await smallProject(false));
  await writeFile(path.join(folder, '../rejected.json'), 'antigo');
  await chmod(path.join(folder, '../rejected.json'), 0o644);
  const { code, output } = await runImport(target, 'firebase', folder);
  assert.equal(code, 0, output);
  assert.match(output, /Agora comece o servidor com npm start e abra o link que ele mostra/);
  assert.match(output, /apague a pasta .*exportado: ela contém dados de saúde/);
  assert.doesNotMatch(output, /@|Pessoa|senha[A-Z]|calma/);
  const again = await runImport(target, 'firebase', folder);
  assert.equal(again.code, 1);
  assert.match(again.output, /^Já há dados de um site/);
});
