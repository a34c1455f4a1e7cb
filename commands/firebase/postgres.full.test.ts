import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startBreakingNetwork } from '#server/testing/peers/breaking-network.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { mp3 } from '#server/testing/storage.ts';
import { account, content, hashConfig, projectId, userRecord, writeProject } from './testing/fixture.ts';
import { runImport, type Target } from './testing/run.ts';

const accountsEach = 300;

describe('the import from Firebase into PostgreSQL', { concurrency: true }, () => {
  for (const filesEach of [0, 20])
    it(`of two concurrent imports with ${filesEach} files each, one succeeds, the other refuses, and nothing is mixed`, async (t) => {
      const server = await startTestServer(t, 'postgres');
      const names = ['ana', 'rui'];
      const folders = await Promise.all(names.map((name) => writeNamed(t, name, filesEach)));
      const outcomes = await Promise.all(folders.map((folder) => runImport(server, 'firebase', folder)));
      const winner = outcomes.findIndex(({ code }) => code === 0);
      assert.notEqual(winner, -1, outcomes.map(({ output }) => output).join('\n'));
      const other = outcomes[1 - winner];
      assert.ok(other);
      assert.equal(other.code, 1, other.output);
      assert.match(
        other.output,
        /^(?:Outra mudança ou importação, |Já há dados de um site ).*\. Nada foi mudado\..*\.$/,
      );
      const emails = await server.database.selectFrom('users').select('email').execute();
      assert.equal(emails.length, accountsEach);
      assert.ok(emails.every(({ email }) => email.startsWith(names[winner] ?? '')));
      const files = await server.database.selectFrom('files').select('key').execute();
      assert.equal(files.length, filesEach);
      assert.deepEqual(await server.database.selectFrom('discardedContents').selectAll().execute(), []);
    });

  for (const when of ['before', 'after'] as const)
    it(`says whether it was imported when the connection breaks ${when} PostgreSQL commits`, async (t) => {
      const server = await startTestServer(t, 'postgres');
      const network = await startBreakingNetwork(t, Number(new URL(server.databaseUrl ?? '').port), when);
      const target = through(server, network.port);
      // An import without files has only one commit, which adds the rows.
      const { code, output } = await runImport(target, 'firebase', await writeNamed(t, 'ana', 0));
      assert.ok(network.hasBroken());
      assert.doesNotMatch(output, /\n\s+at /);
      const users = await server.database.selectFrom('users').select('id').execute();
      if (when === 'before') {
        assert.equal(code, 1);
        assert.match(output, /^O banco de dados.* parou de responder\b.* Nada foi importado\.$/m);
        assert.deepEqual(users, []);
      } else {
        assert.equal(code, 0, output);
        assert.match(output, /^Pronto: tudo isso foi importado\./m);
        assert.equal(users.length, accountsEach);
      }
    });
});

/** Writes a project in which the email address of every account starts with `name`. */
async function writeNamed(t: TestContext, name: string, files: number): Promise<string> {
  const accounts = Array.from({ length: accountsEach }, (_, index) => account(`${name}${index}`));
  return writeProject(t, {
    ...{ id: projectId, hashConfig, accounts },
    documents: accounts.map(({ localId }) => userRecord(localId)),
    contents: Array.from({ length: files }, (_, index) =>
      content(`postAudios/mind/${name}${index}`, mp3(20_000, index + 1), 'audio/mpeg'),
    ),
  });
}

const through = ({ dataDir, databaseUrl }: TestServer, port: number): Target => ({
  dataDir,
  databaseUrl: Object.assign(new URL(databaseUrl ?? ''), { port: String(port) }).href,
});
