import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { lazily } from '../concurrency.ts';
import { sampleActivity } from '../testing/samples.ts';
import { visitorAt } from '../testing/server.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';

const siteDir = mkdtempSync(path.join(tmpdir(), 'acolhe-site-'));
process.once('exit', () => rmSync(siteDir, { recursive: true }));
const makeSite = lazily(async () => {
  const { server } = await startWithAdminIn(siteDir);
  await server.stop();
});

describe('a data folder that is moved or removed while the server runs', () => {
  for (const away of ['moved', 'removed', 'replaced by an empty one'] as const)
    it(`${away}: no write is acknowledged, nothing is created there, and the server stops`, async (t) => {
      const { dataDir, server, client } = await startWithAdmin(t);
      if (away === 'removed') await rm(dataDir, { recursive: true });
      else await rename(dataDir, `${dataDir}-moved`);
      if (away.startsWith('replaced')) await mkdir(dataDir);
      await assert.rejects(client.documents.createActivity(sampleActivity()), isUnavailable);
      await ended(server);
      assert.match(server.log(), /não é mais a que foi aberta/);
      if (away.startsWith('replaced')) assert.deepEqual(await readdir(dataDir), []);
      else assert.equal(existsSync(dataDir), false);
    });

  it('put back, contains everything that was acknowledged', async (t) => {
    const { dataDir, server, client, account } = await startWithAdmin(t);
    const { id } = await client.documents.createActivity(sampleActivity());
    await rename(dataDir, `${dataDir}-moved`);
    await ended(server);
    await rename(`${dataDir}-moved`, dataDir);
    const again = await startServerProcess(dataDir);
    t.after(() => again.kill());
    const back = visitorAt(again.url, again.url).client;
    await back.auth.signIn(account);
    const { activities } = await back.documents.getActivities('mindActsList');
    assert.deepEqual(
      activities.map((activity) => activity.id),
      [id],
    );
  });
});

describe('a start on the data folder of an existing site', () => {
  it('refuses when the database is missing or empty, and changes nothing', async (t) => {
    const dataDir = await copyOfSite(t);
    const database = path.join(dataDir, 'acolhe.sqlite');
    await truncate(database);
    assert.match(await refusal(dataDir), /banco de dados.*vazio.*\n.*docs\/backup\.md/);
    assert.equal((await stat(database)).size, 0);
    await rm(database);
    assert.match(await refusal(dataDir), /banco de dados.*faltando.*\n.*docs\/backup\.md/);
    assert.equal(existsSync(database), false);
  });

  it('refuses when the database is damaged, with one sentence and without a stack trace', async (t) => {
    const dataDir = await copyOfSite(t);
    const database = path.join(dataDir, 'acolhe.sqlite');
    const { size } = await stat(database);
    const file = await open(database, 'r+');
    // Damages every page but the first, so that the header still identifies a database.
    for (let page = 4_096; page < size; page += 4_096)
      await file.write(Buffer.alloc(2_048, 0xa5), 0, 2_048, page);
    await file.close();
    const damaged = await refusal(dataDir);
    assert.match(damaged, /está danificado.*docs\/backup\.md/);
    assert.doesNotMatch(damaged, /\n\s+at /);
    await writeFile(database, 'isto não é um banco de dados'.repeat(1_000));
    assert.match(await refusal(dataDir), /está danificado/);
  });

  it('refuses a database of a newer version, with one sentence and without a stack trace', async (t) => {
    const dataDir = await copyOfSite(t);
    const file = path.join(dataDir, 'acolhe.sqlite');
    const database = new DatabaseSync(file);
    database.exec(`insert into kysely_migration values ('999-futuro', '2030-01-01T00:00:00.000Z')`);
    database.close();
    const said = await refusal(dataDir);
    assert.match(said, /versão mais nova.*999-futuro.*docs\/backup\.md/);
    assert.doesNotMatch(said, /\n\s+at /);
  });
});

it('a start after an interrupted first start creates a new site', async (t) => {
  const dataDir = await temporaryFolder(t);
  await writeFile(path.join(dataDir, 'acolhe.sqlite'), '');
  const server = await startServerProcess(dataDir);
  await server.stop();
  assert.match(server.log(), /primeiro-acesso/);
});

it('restricts the data folder to its own user at every start', async (t) => {
  const dataDir = await copyOfSite(t);
  const database = path.join(dataDir, 'acolhe.sqlite');
  await chmod(dataDir, 0o755);
  await chmod(database, 0o644);
  const again = await startServerProcess(dataDir);
  t.after(() => again.kill());
  const { client } = visitorAt(again.url, again.url);
  await client.auth.signUp({ displayName: 'Rui', email: 'rui@exemplo.com.br', password: 'senha12345' });
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(path.join(entry.parentPath, entry.name));
    assert.equal(mode & 0o077, 0, `${entry.parentPath}/${entry.name} is ${(mode & 0o777).toString(8)}`);
  }
});

async function startWithAdmin(t: TestContext) {
  const started = await startWithAdminIn(await temporaryFolder(t));
  t.after(() => started.server.kill());
  return started;
}

async function startWithAdminIn(dataDir: string) {
  const server = await startServerProcess(dataDir);
  const { client } = visitorAt(server.url, server.url);
  const account = { email: 'ana@exemplo.com.br', password: 'senha12345' };
  await client.auth.signUp({ displayName: 'Ana', ...account });
  await client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  return { dataDir, server, client, account };
}

/** Copies the data folder of a site that has an admin and whose server has stopped. @returns the copy */
async function copyOfSite(t: TestContext): Promise<string> {
  const dataDir = await temporaryFolder(t);
  await makeSite();
  await cp(siteDir, dataDir, { recursive: true });
  return dataDir;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-folder-'));
  t.after(async () => {
    for (const place of [folder, `${folder}-moved`]) await rm(place, { recursive: true, force: true });
  });
  return folder;
}

const isUnavailable = (error: unknown) =>
  error instanceof ClientError && ['server/unavailable', 'client/offline'].includes(error.code);

/** Waits until the process has ended. */
async function ended(server: ServerProcess) {
  while (server.isRunning()) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts a server, expects the start to fail, and returns the output. */
async function refusal(dataDir: string): Promise<string> {
  return startServerProcess(dataDir).then(
    async (server) => {
      await server.kill();
      throw new Error('The server started.');
    },
    (error: Error) => error.message,
  );
}
