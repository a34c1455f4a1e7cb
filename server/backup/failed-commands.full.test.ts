import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { backUpServer, createBackupPlace, createTarget, hasUsers } from '#server/testing/backups/backups.ts';
import { runToEnd, startCommand } from '#server/testing/backups/commands.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { startBreakingNetwork } from '#server/testing/peers/breaking-network.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import type { DatabaseKind } from '../database/connect.ts';
import type { Environment } from '../environment.ts';
import { listSnapshots } from './snapshot/manifests.ts';

/** A mood record that does not fit on the small disk of the test. */
const longRecord = JSON.stringify({ note: 'x'.repeat(6_000_000) });

describe('a failed command says in one sentence why, and what it has left', { concurrency: true }, () => {
  for (const kind of allDatabaseKinds) {
    it(`a backup fails while the content of a file is missing or damaged, and names the file and where it is used, on ${kind}`, async (t) => {
      const { server, place, admin } = await startSite(t, kind);
      await storageOf(admin).upload('postAudios/mind/ouvir', mp3(5_000));
      const audio = await storageOf(admin).url('postAudios/mind/ouvir');
      await admin.client.documents.createActivity(sampleActivity({ audio, title: 'Ouvir a chuva' }));
      const files = path.join(server.dataDir, 'files');
      const content = (await readdir(files, { recursive: true })).find((name) => name.includes('/')) ?? '';
      await appendFile(path.join(files, content), 'x');
      for (const program of ['backup', 'scheduled'] as const) {
        const args = program === 'scheduled' ? ['0'] : [];
        const says =
          /O arquivo postAudios\/mind\/ouvir, usado em: prática “Ouvir a chuva”, falta ou .* O backup não foi feito; os anteriores/;
        await fails(startCommand(server, place, program, args), says);
      }
      await rm(path.join(files, content));
      await fails(startCommand(server, place, 'backup', []), /O arquivo postAudios\/mind\/ouvir, usado em/);
      assert.deepEqual(await listSnapshots(place.store), []);
      const deleteFile = (...args: string[]) =>
        runToEnd(startCommand(server, place, 'site', ['delete-file', ...args]));
      assert.match((await deleteFile('postAudios/mind/outro')).output, /^Não há um arquivo postAudios/);
      const asked = await deleteFile('postAudios/mind/ouvir');
      assert.match(asked.output, /usado em: prática “Ouvir a chuva”.*Nada foi apagado.*ouvir --confirm/);
      assert.equal(asked.code, 1);
      await fails(startCommand(server, place, 'backup', []), /O arquivo postAudios\/mind\/ouvir, usado em/);
      assert.match(
        (await deleteFile('postAudios/mind/ouvir', '--confirm')).output,
        /^O arquivo postAudios\/mind\/ouvir foi apagado\. Ainda usam este arquivo: prática “Ouvir a chuva”\./,
      );
      assert.equal((await runToEnd(startCommand(server, place, 'backup', []))).code, 0);
    });

    it(`a backup that finds a value of a wrong kind names its row, and not the value, on ${kind}`, async (t) => {
      const { server, place, admin } = await startSite(t, kind);
      await server.database.insertInto('wordMood').values({ uid: admin.uid, record: 'segredo' }).execute();
      for (const program of ['backup', 'scheduled'] as const) {
        const child = startCommand(server, place, program, program === 'scheduled' ? ['0'] : []);
        const output = await fails(child, new RegExp(`A linha "${admin.uid}" da tabela wordMood `));
        assert.doesNotMatch(output, /segredo/);
      }
    });

    it(`a backup that cannot delete an old part is complete, and says that old backups are left, on ${kind}`, async (t) => {
      const { server, place } = await startSite(t, kind);
      const old = 'contents/aa/1.age';
      await place.store.write(old, Readable.from(['old']));
      const part = path.join(place.folder, old);
      // No program can delete a file on which another file is mounted.
      execFileSync('mount', ['--bind', part, part]);
      try {
        const { code, output } = await runToEnd(startCommand(server, place, 'backup', []));
        assert.match(
          output,
          /^Backup feito: .*\nAtenção: nem todos os backups antigos foram apagados; .*EBUSY/m,
        );
        assert.equal(code, 0);
        assert.equal((await listSnapshots(place.store)).length, 1);
      } finally {
        execFileSync('umount', [part]);
      }
      await backUpServer(server, place);
      assert.equal((await place.store.list('contents/aa/')).size, 0);
    });

    it(`a restore onto a disk that becomes full, on ${kind}`, async (t) => {
      const { server, place, admin } = await startSite(t, kind);
      // The file of SQLite and the contents of files are both too large for the disk of this test.
      await server.database.insertInto('wordMood').values({ uid: admin.uid, record: longRecord }).execute();
      await storageOf(admin).upload('postAudios/mind/ouvir', mp3(6_000_000), 4_000_000);
      await backUpServer(server, place);
      const target = await createTarget(t, kind);
      await mkdir(target.dataDir, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', target.dataDir]);
      try {
        const child = startCommand(target, place, 'restore', await restoreArguments(place));
        await fails(child, /^Não há espaço para gravar\. Abra espaço e tente de novo\. Nada foi restaurado/m);
        const left = (await readdir(target.dataDir)).filter((name) => /sqlite|restoring/.test(name));
        assert.deepEqual(left, []);
      } finally {
        execFileSync('umount', [target.dataDir]);
      }
    });
  }

  it('a backup whose PostgreSQL becomes unreachable while the rows are read', async (t) => {
    const { server, place } = await startSite(t, 'postgres');
    const through = await breaking(t, server, 'before', 'from "wordMood"');
    const says = /^O banco de dados.* parou de responder\..* O backup não foi feito; os anteriores/m;
    await fails(startCommand(through, place, 'backup', []), says);
    assert.deepEqual(await listSnapshots(place.store), []);
  });

  for (const [when, words] of [
    ['while the rows are written', 'insert into "users"'],
    ['before the commit', undefined],
  ] as const)
    it(`a restore whose PostgreSQL becomes unreachable ${when}`, async (t) => {
      const { server, place } = await startSite(t, 'postgres');
      await backUpServer(server, place);
      const target = await createTarget(t, 'postgres');
      const through = await breaking(t, target, 'before', words);
      const child = startCommand(through, place, 'restore', await restoreArguments(place));
      await fails(child, /^O banco de dados.* parou de responder\..* Nada foi restaurado/m);
      assert.equal(await hasUsers(target), false);
    });
});

it('a restore that PostgreSQL has committed has succeeded, although the response was lost', async (t) => {
  const { server, place } = await startSite(t, 'postgres');
  await backUpServer(server, place);
  const target = await createTarget(t, 'postgres');
  const through = await breaking(t, target, 'after');
  const { code, output } = await runToEnd(
    startCommand(through, place, 'restore', await restoreArguments(place)),
  );
  assert.equal(code, 0, output);
  assert.match(output, /^Backup de .* 1 contas/m);
  assert.equal(await hasUsers(target), true);
});

async function startSite(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  return { server, admin: await server.join('admin'), place: await createBackupPlace(t) };
}

async function restoreArguments({ folder, identity }: Awaited<ReturnType<typeof createBackupPlace>>) {
  const key = path.join(folder, 'key.txt');
  await writeFile(key, identity);
  return [folder, '--key', key];
}

/**
 * Returns the site with a database URL that leads through a simulated network. The network breaks once,
 * before or after PostgreSQL executes `words` (by default, the commit).
 */
async function breaking<Site extends Pick<Environment, 'dataDir' | 'databaseUrl'>>(
  t: TestContext,
  site: Site,
  ...[when, words]: ['before' | 'after', words?: string | undefined]
): Promise<Site> {
  const url = new URL(site.databaseUrl ?? '');
  const { port } = await startBreakingNetwork(t, Number(url.port), when, words);
  url.port = String(port);
  return { ...site, databaseUrl: url.href };
}

async function fails(child: ReturnType<typeof startCommand>, says: RegExp): Promise<string> {
  const { code, output } = await runToEnd(child);
  assert.match(output, says);
  assert.doesNotMatch(output, /\n\s+at /);
  assert.equal(code, 1);
  return output;
}
