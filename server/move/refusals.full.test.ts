import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from '../database/connect.ts';
import { lockDataFolder } from '../database/installation/data-folder.ts';
import { createEmptyPostgres, createTestDatabase } from '../testing/databases.ts';
import { findFreePort } from '../testing/free-port.ts';
import {
  changeOf,
  contentOf,
  createSite,
  digestsOf,
  hashesIn,
  keyOf,
  openingOf,
  runMove,
  type Settings,
  spawnMove,
  startAgain,
  temporaryFolder,
} from '../testing/moves.ts';
import { type SwiftServer, s3Environment, startSwift } from '../testing/peers/swift.ts';
import { until } from '../testing/until.ts';

let swift: SwiftServer;
before(async () => {
  swift = await startSwift();
});
after(() => swift.remove());

describe('a move is refused, and changes nothing', { concurrency: 2 }, () => {
  for (const kind of ['sqlite', 'postgres'] as const)
    it(`while a server is alive, on ${kind}`, async (t) => {
      const site = await createSite(t, kind);
      const target = await otherPlace(site);
      const server = await startAgain(t, site.settings);
      const refused = await assertRefused(site, target, /Um servidor|Há um servidor rodando/);
      assert.match(refused, /Pare o servidor/);
      await server.kill();
      if (kind === 'postgres') {
        await assertRefused(site, target, /depois de uma queda, espere meio minuto/);
        await site.change('update instances set "seenAt" = "seenAt" - 31000');
      }
      const { code, output } = await runMove(site.settings, ...target);
      assert.equal(code, 0, output);
    });

  for (const kind of ['sqlite', 'postgres'] as const)
    it(`during another move, like the start of a server; the other move can be stopped and continued later, on ${kind}`, async (t) => {
      const site = await createSite(t, kind);
      await site.addFiles(60);
      const settings = { ...site.settings, ...s3Environment(await swift.addBucket()) };
      const first = spawnMove(settings, '--to-s3');
      t.after(() => first.kill('SIGKILL'));
      await until(async () => existsSync(path.join(settings.DATA_DIR, 'move.json')) || !first.isRunning());
      first.kill('SIGSTOP');
      assert.ok(first.isRunning(), first.output());
      // On PostgreSQL, each server can have a folder of its own, so the lock of a folder does not stop the
      // second move.
      const other = kind === 'sqlite' ? settings.DATA_DIR : await temporaryFolder(t);
      const second = await runMove({ ...settings, DATA_DIR: other }, '--to-s3');
      assert.equal(second.code, 1);
      assert.match(second.output, /[Oo]utra mudança.* Nada foi mudado\./);
      if (kind === 'postgres')
        assert.match(await openingOf(site.settings), /^refused: Uma mudança deste banco/);
      else assert.throws(() => lockDataFolder(settings.DATA_DIR), /Outro servidor já usa/);
      // Ctrl+C prints where the site is; SIGKILL prints nothing. Each kind of database tests one of them.
      const signal = kind === 'sqlite' ? 'SIGINT' : 'SIGKILL';
      first.kill(signal);
      first.kill('SIGCONT');
      const { code, output } = await first.ended;
      assert.equal(code, signal === 'SIGINT' ? 130 : null, output);
      if (signal === 'SIGINT')
        assert.match(output, /^Interrompido\. O site continua no lugar antigo, como antes/);
      assert.equal(await openingOf(site.settings), 'accepted');
      const again = await runMove(settings, '--to-s3');
      assert.equal(again.code, 0, again.output);
    });

  it('while a backup runs', async (t) => {
    const site = await createSite(t, 'sqlite');
    await site.change(`insert into leases values ('backup', 'x', (unixepoch() + 60) * 1000)`);
    await assertRefused(site, await otherPlace(site), /^Um backup está em andamento\. Nada foi mudado\./);
  });

  it('when the new database has rows, tables of another program, or another version', async (t) => {
    const site = await createSite(t, 'sqlite');
    const target = await createTestDatabase('postgres');
    t.after(() => target.remove());
    const change = (statement: string) => changeOf(target, statement);
    const to = ['--to-database', target.databaseUrl ?? ''];
    await change(`insert into "wordMood" select 'a', '{}' where false`);
    await change(`insert into "goneActivities" values ('a', 'mindActsList')`);
    await assertRefused(site, to, /Já há dados de um site no banco de dados de destino \(tabela goneAct/);
    await change('delete from "goneActivities"');
    await change(`delete from kysely_migration where name = '033-version-0-2'`);
    await assertRefused(site, to, /é de outra versão deste programa\. Nada foi mudado\./);
    await change('drop table kysely_migration');
    await assertRefused(site, to, /já há uma tabela \w+, de outro programa\. Nada foi mudado\./);

    const onPostgres = await createSite(t, 'postgres');
    await writeFile(path.join(onPostgres.settings.DATA_DIR, 'acolhe.sqlite'), 'x');
    await assertRefused(onPostgres, ['--to-sqlite'], /^Já há um banco de dados em .*acolhe\.sqlite\. Nada/);
  });

  it('when the new database is missing, unreachable, read-only, or the same as the old one', async (t) => {
    const site = await createSite(t, 'sqlite');
    const url = await createEmptyPostgres();
    const away = Object.assign(new URL(url), { port: String(await findFreePort()) }).href;
    await assertRefused(site, ['--to-database', away], /não respondeu .*Nada foi mudado\. Veja se ele está/);
    const missing = Object.assign(new URL(url), { pathname: '/falta' }).href;
    await assertRefused(site, ['--to-database', missing], /recusou a conexão .*Nada foi mudado\. Confira/);
    const name = new URL(url).pathname.slice(1);
    await changeOf(
      { dataDir: '', databaseUrl: url },
      `create role leitura_${name} login; revoke create on schema public from public`,
    );
    const reader = Object.assign(new URL(url), { username: `leitura_${name}` }).href;
    await assertRefused(site, ['--to-database', reader], /não deixa criar tabelas\. Nada foi mudado\./);

    const onPostgres = await createSite(t, 'postgres');
    const own = onPostgres.settings.DATABASE_URL ?? '';
    const sameByOtherName = own.replace('127.0.0.1', 'localhost');
    for (const same of [own, sameByOtherName])
      await assertRefused(onPostgres, ['--to-database', same], /é o mesmo de DATABASE_URL\. Nada foi mudado/);
    await onPostgres.change(`create role pouco_${name} login`);
    await onPostgres.change(
      `grant select, insert, update, delete on all tables in schema public to pouco_${name}`,
    );
    const settings: Settings = {
      ...onPostgres.settings,
      DATABASE_URL: Object.assign(new URL(own), { username: `pouco_${name}` }).href,
    };
    await assertRefused({ ...onPostgres, settings }, ['--to-sqlite'], /direito CREATE no banco de dados\.$/);
  });

  it('when the bucket is missing or has files, or the data folder has files', async (t) => {
    const site = await createSite(t, 'sqlite');
    const bucket = await swift.addBucket();
    const s3 = s3Environment(bucket);
    const onS3 = (more = {}) => ({ ...site, settings: { ...site.settings, ...s3, ...more } });
    await assertRefused(onS3({ S3_BUCKET: 'falta' }), ['--to-s3'], /^O bucket falta .*Nada foi mudado\./);
    await assertRefused(
      onS3({ S3_SECRET_ACCESS_KEY: 'x' }),
      ['--to-s3'],
      /recusou a chave\. Nada foi mudado/,
    );
    await site.addFiles(1);
    await assertRefused(onS3(), ['--to-disk'], /^A pasta .*files já tem arquivos\. Nada foi mudado\./);
    assert.equal((await runMove(onS3().settings, '--to-s3')).code, 0);
    const other = await createSite(t, 'sqlite');
    const settings = { ...other.settings, ...s3 };
    await assertRefused({ ...other, settings }, ['--to-s3'], /^O bucket arquivos-.*já tem arquivos\. Nada/);
    const S3_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`;
    await assertRefused({ ...other, settings: { ...settings, S3_ENDPOINT } }, ['--to-s3'], /não respondeu/);
  });

  for (const [what, change, row] of [
    [
      'a NUL character',
      `update users set "displayName" = 'a' || char(0) || 'b' where id = 'u1'`,
      '"u1".* users',
    ],
    ['bytes that are not UTF-8', `update users set email = cast(x'61ff62' as text) where id = 'u1'`, '"u1"'],
    ['an integer above 2^53', `insert into attempts values ('k', 1, 1152921504606846976)`, '"k".* attempts'],
    ['an integer that PostgreSQL does not hold', `insert into attempts values ('k', 3000000000, 1)`, '"k"'],
    ['a number in place of a flag', `update users set staff = 2 where id = 'u1'`, '"u1".* users'],
    ['a text in place of a time', `update users set "createdAt" = 'ontem' where id = 'u1'`, '"u1".* users'],
    ['malformed JSON', `insert into "wordMood" values ('u1', '{')`, '"u1".* wordMood'],
  ] as const)
    it(`when a row has ${what}: the sentence names the table and the key of the row`, async (t) => {
      const site = await createSite(t, 'sqlite');
      await site.change(change);
      const url = await createEmptyPostgres();
      const { code, output } = await runMove(site.settings, '--to-database', url);
      assert.equal(code, 1);
      assert.match(output, new RegExp(`^A linha ${row}.*Os dados do site não foram mudados\\.`));
      assert.doesNotMatch(output, /\n\s+at /);
      assert.equal(await openingOf(site.settings), 'accepted');
      const database = connect({ dataDir: '', databaseUrl: url });
      t.after(() => database.destroy());
      assert.deepEqual(await database.introspection.getTables({ withInternalKyselyTables: true }), []);
    });

  it('when the copy of a table differs from the original', async (t) => {
    const site = await createSite(t, 'sqlite');
    const target = await createTestDatabase('postgres');
    t.after(() => target.remove());
    await changeOf(
      target,
      `create function change() returns trigger language plpgsql as $$ begin new."displayName" = 'x'; return new; end $$;
      create trigger change before insert on users for each row execute function change()`,
    );
    const digests = await digestsOf(site.settings);
    const { code, output } = await runMove(site.settings, '--to-database', target.databaseUrl ?? '');
    assert.equal(code, 1);
    assert.match(output, /^A cópia da tabela users não ficou igual .*\nO site continua no lugar antigo/);
    assert.deepEqual(await digestsOf(site.settings), digests);
    assert.equal((await digestsOf({ DATA_DIR: '', DATABASE_URL: target.databaseUrl ?? '' })).users?.rows, 0);
  });

  it('when contents are missing, truncated, longer or altered: it names each file, and works once they are back', async (t) => {
    const site = await createSite(t, 'sqlite');
    await site.addFiles(20);
    const settings = { ...site.settings, ...s3Environment(await swift.addBucket()) };
    const hashes = await hashesIn(settings.DATA_DIR);
    const fileOf = (number: number) => path.join(settings.DATA_DIR, 'files', 'ab', keyOf(number));
    await rm(fileOf(3));
    await truncate(fileOf(5), 10);
    await appendFile(fileOf(7), 'x');
    await writeFile(fileOf(9), contentOf(10));
    const { code, output } = await runMove(settings, '--to-s3');
    assert.equal(code, 1);
    const named = [...output.matchAll(/^ {2}(\S+)$/gm)].map(([, name]) => name);
    assert.deepEqual(
      named,
      [3, 5, 7, 9].map((number) => `postAudios/mind/som${number}`),
    );
    assert.match(output, /\nO site continua no lugar antigo, como antes/);
    assert.equal(await openingOf(site.settings), 'accepted');
    assert.match(await openingOf(settings), /^refused: A mudança dos arquivos .* não terminou/);

    for (const number of [3, 5, 7, 9]) await writeFile(fileOf(number), contentOf(number));
    // A file is deleted on the site between the attempts. Its content must not stay in the bucket.
    await site.change(`delete from files where path = 'postAudios/mind/som1'`);
    const again = await runMove(settings, '--to-s3');
    assert.equal(again.code, 0, again.output);
    const back = await runMove(settings, '--to-disk');
    assert.equal(back.code, 0, back.output);
    const files = Object.entries(hashes).filter(
      ([name]) => name.startsWith('files/') && !name.endsWith(keyOf(1)),
    );
    const moved = await hashesIn(path.join(settings.DATA_DIR, 'files'));
    assert.deepEqual(
      moved,
      Object.fromEntries(files.map(([name, hash]) => [name.slice('files/'.length), hash])),
    );
  });

  it('with wrong options, without a data folder, or without the variables that it needs', async (t) => {
    const site = await createSite(t, 'sqlite');
    for (const args of [
      [],
      ['x'],
      ['--to-s3', '--to-disk'],
      ['--to-database'],
      ['--to-sqlite', '--to-database', 'x'],
    ])
      await assertRefused(site, args, /npm run move -- OPÇÕES/);
    await assertRefused(site, ['--to-database', 'mysql://x/y'], /começa com postgres:\/\/\. Nada foi mudado/);
    await assertRefused(site, ['--to-sqlite'], /já estão em SQLite .*Nada foi mudado\.$/);
    await assertRefused(site, ['--to-s3'], /variáveis S3_ENDPOINT.*Nada foi mudado\.$/);
    await assertRefused(site, ['--to-disk'], /variáveis S3_\*.*Nada foi mudado\.$/);
    const missing = { ...site, settings: { DATA_DIR: path.join(site.settings.DATA_DIR, 'falta') } };
    const { code, output } = await runMove(missing.settings, ...(await otherPlace(site)));
    assert.deepEqual([code, /não existe: .*Nada foi mudado\.$/.test(output)], [1, true], output);
    assert.equal(existsSync(missing.settings.DATA_DIR), false);
    const empty = { DATA_DIR: await temporaryFolder(t) };
    assert.match((await runMove(empty, ...(await otherPlace(site)))).output, /^Ainda não há um site em/);
  });
});

type Site = Awaited<ReturnType<typeof createSite>>;

/** Returns options that move the rows of this site to the other kind of database. */
async function otherPlace({ settings }: Site): Promise<string[]> {
  return settings.DATABASE_URL ? ['--to-sqlite'] : ['--to-database', await createEmptyPostgres()];
}

/** Checks that the move fails with this message and changes nothing. @returns the output */
async function assertRefused(
  { settings }: Pick<Site, 'settings'>,
  args: string[],
  says: RegExp,
): Promise<string> {
  const state = async () => {
    const files = Object.entries(await hashesIn(settings.DATA_DIR));
    return files.filter(([name]) => !/^server\.lock|-shm$/.test(name)).sort();
  };
  const before = await state();
  const { code, output } = await runMove(settings, ...args);
  assert.equal(code, 1, output);
  assert.match(output, says);
  assert.doesNotMatch(output, /\n\s+at /, 'a sentence, not a stack trace');
  assert.deepEqual(await state(), before);
  assert.deepEqual(
    (await readdir(settings.DATA_DIR)).filter((name) => /^move|\.moved-/.test(name)),
    [],
  );
  return output;
}
