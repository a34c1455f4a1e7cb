import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { readInstallation } from '../database/installation/installation.ts';
import { findDatabase } from '../database/open.ts';
import { readEnvironment } from '../environment.ts';
import { allDatabaseKinds } from '../testing/databases.ts';
import { type SwiftServer, s3Environment, startSwift } from '../testing/peers/swift.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { mp3, storageOf } from '../testing/storage.ts';
import { checkFileStore } from './file-store.ts';

let swift: SwiftServer;
before(async () => {
  swift = await startSwift();
});
after(() => swift.remove());

const settingsOf = ({ dataDir, databaseUrl }: TestServer, settings: Record<string, string>) =>
  readEnvironment({
    DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...settings,
  });

/** Checks the store of a start with these settings. `pending` are the migrations that it would run. */
async function checkWith(server: TestServer, settings: Record<string, string>, pending: string[] = []) {
  const environment = settingsOf(server, settings);
  const found = await findDatabase(environment);
  try {
    return await checkFileStore(environment, found && { ...found, pending });
  } finally {
    await found?.database.destroy();
  }
}

async function serverWithFile(t: TestContext, kind: (typeof allDatabaseKinds)[number], settings = {}) {
  const server = await startTestServer(t, kind, { environment: settings });
  const admin = storageOf(await server.join('admin'));
  assert.equal((await admin.upload('postAudios/mind/som', mp3(2_000))).status, 204);
  return server;
}

for (const kind of allDatabaseKinds)
  describe(`the file store of a site on ${kind}`, () => {
    it('can be any before the first file, which records it', async (t) => {
      const server = await startTestServer(t, kind);
      assert.equal((await readInstallation(server.database)).contents, null);
      for (const settings of [{}, s3Environment(swift)])
        assert.deepEqual(await checkWith(server, settings), { responds: true, isNew: false });
      const admin = storageOf(await server.join('admin'));
      await admin.upload('postAudios/mind/som', mp3(2_000));
      assert.equal((await readInstallation(server.database)).contents, 'disk');
      assert.deepEqual(await checkWith(server, {}), { responds: true, isNew: false });
      await assert.rejects(checkWith(server, s3Environment(swift)), {
        name: 'StartError',
        message: /estão na pasta de dados/,
      });
    });

    it('is recorded with its bucket, which can get another endpoint but not become another bucket', async (t) => {
      const server = await serverWithFile(t, kind, s3Environment(swift));
      assert.deepEqual(
        { ...(await readInstallation(server.database)) },
        {
          contents: 's3',
          folder: `${swift.endpoint}/${swift.bucket}`,
          move: null,
        },
      );
      await assert.rejects(checkWith(server, {}), { message: /estão no S3, e faltam as variáveis S3_\*/ });
      const elsewhere = { ...swift, endpoint: swift.endpoint.replace('127.0.0.1', 'localhost') };
      assert.notEqual(elsewhere.endpoint, swift.endpoint);
      assert.deepEqual(await checkWith(server, s3Environment(elsewhere)), { responds: true, isNew: true });
      await assert.rejects(checkWith(server, s3Environment(await swift.addBucket())), {
        message: /não tem os arquivos deste site/,
      });
    });
  });

it('an S3 that is away does not prevent a start, unless something would change', async (t) => {
  const server = await serverWithFile(t, 'sqlite', s3Environment(swift));
  t.after(() => swift.start());
  await swift.stop();
  const settings = s3Environment(swift);
  assert.deepEqual(await checkWith(server, settings), { responds: false, isNew: false });
  await assert.rejects(checkWith(server, settings, ['099-next']), { message: /não respondeu/ });
});
