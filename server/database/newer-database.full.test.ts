import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ColumnMetadata, sql } from 'kysely';
import { readEnvironment } from '../environment.ts';
import { programVersion } from '../program.ts';
import { allDatabaseKinds, createEmptyPostgres, createTestDatabase } from '../testing/databases.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { connect, type Database, type DatabaseKind, migrate, readMigrationNames } from './connect.ts';
import { migrations } from './migrations/migrations.ts';
import { isOlder } from './oldest-programs.ts';
import { openCurrentDatabase } from './open.ts';

const names = Object.keys(migrations).sort();

for (const kind of allDatabaseKinds) {
  describe(`a database of a newer version on ${kind}`, { concurrency: true }, () => {
    /**
     * Creates a database that a newer version of the program has migrated.
     * @param oldest the oldest version that can run on the database, as the newer version has recorded it;
     * undefined if it has recorded none
     */
    async function createNewer(t: TestContext, oldest: string | undefined) {
      const test = await createTestDatabase(kind);
      t.after(test.remove);
      const database = connect(test);
      t.after(() => database.destroy());
      await sql`insert into kysely_migration values ('999-futuro', '2030-01-01T00:00:00.000Z')`.execute(
        database,
      );
      if (oldest !== undefined)
        await database
          .insertInto('oldestPrograms')
          .values({ migration: '999-futuro', version: oldest })
          .execute();
      const settings = {
        AUTH_SECRET: 'a secret of the tests, long enough',
        DATABASE_URL: test.databaseUrl ?? '',
      };
      return { ...test, database, settings };
    }

    it('is used by an older program if the migrations say so, and stays as it is', async (t) => {
      const { database, dataDir, settings } = await createNewer(t, '0.0.9');
      const server = await startServerProcess(dataDir, settings);
      t.after(() => server.kill());
      const visitor = visitorAt(server.url, server.url);
      await visitor.client.auth.signUp({
        displayName: 'Ana',
        email: 'ana@exemplo.com.br',
        password: 'senha12345',
      });
      await server.stop();
      assert.deepEqual((await readMigrationNames(database)).sort(), [...names, '999-futuro']);
    });

    for (const [what, oldest, words] of [
      ['that needs a newer program', '999.1.0', /versão mais nova.*999-futuro.*a 999\.1\.0 ou uma mais nova/],
      [
        'that does not say which programs can run',
        undefined,
        /versão mais nova.*999-futuro.*Instale essa versão, ou/,
      ],
    ] as const)
      it(`${what} is refused, and nothing changes`, async (t) => {
        const { database, dataDir, settings } = await createNewer(t, oldest);
        await assert.rejects(startServerProcess(dataDir, settings), { message: words });
        await assert.rejects(migrate(database), { name: 'StartError', message: words });
        assert.deepEqual((await readMigrationNames(database)).sort(), [...names, '999-futuro']);
      });

    it('is refused by the commands, which would read or write only a part of it', async (t) => {
      const { dataDir, databaseUrl } = await createNewer(t, '0.0.9');
      const environment = { ...readEnvironment({}), dataDir, databaseUrl };
      await assert.rejects(openCurrentDatabase(environment), {
        name: 'StartError',
        message: /versão mais nova/,
      });
    });
  });

  describe(`each migration on ${kind}`, () => {
    it('only adds what older programs need not fill, if they can run on it', async (t) => {
      const database = await openEmpty(t, kind);
      const notOnlyAdding: string[] = [];
      for (const name of names) {
        const before = await readColumns(database);
        await migrate(database, name);
        if (!onlyAdds(before, await readColumns(database))) notOnlyAdding.push(name);
      }
      const compatible = names.filter((name) => {
        const { since, oldestProgram } = migrations[name] ?? assert.fail();
        return oldestProgram !== since;
      });
      assert.deepEqual(
        compatible.filter((name) => notOnlyAdding.includes(name)),
        [],
      );
      // This migration replaces a table, so it does not only add.
      assert.ok(notOnlyAdding.includes('033-version-0-2'));
    });
  });
}

it('each migration names the version that contains it, and the oldest program that can run on it', () => {
  for (const [name, { since, oldestProgram }] of Object.entries(migrations)) {
    for (const version of [since, oldestProgram]) assert.match(version, /^\d+\.\d+\.\d+$/, name);
    assert.ok(!isOlder(since, oldestProgram), name);
    assert.ok(!isOlder(programVersion(), since), `${name} is of a later version than this program`);
  }
});

/** Opens a database without tables. */
async function openEmpty(t: TestContext, kind: DatabaseKind): Promise<Database> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-newer-'));
  const databaseUrl = kind === 'sqlite' ? undefined : await createEmptyPostgres();
  const database = connect({ dataDir, databaseUrl });
  t.after(async () => {
    await database.destroy();
    await rm(dataDir, { recursive: true });
  });
  return database;
}

/** The columns of all tables, by table and name. */
async function readColumns(database: Database): Promise<Map<string, ColumnMetadata>> {
  const tables = await database.introspection.getTables();
  return new Map(
    tables.flatMap(({ name, columns }) => columns.map((column) => [`${name}.${column.name}`, column])),
  );
}

/** True if nothing was dropped or changed, and an older program can still insert rows into the old tables. */
function onlyAdds(before: Map<string, ColumnMetadata>, after: Map<string, ColumnMetadata>): boolean {
  const tables = new Set([...before.keys()].map((key) => key.split('.')[0]));
  const isKept = ([key, column]: [string, ColumnMetadata]) => isDeepStrictEqual(after.get(key), column);
  const canStayEmpty = ([key, column]: [string, ColumnMetadata]) =>
    before.has(key) || !tables.has(key.split('.')[0]) || column.isNullable || column.hasDefaultValue;
  return [...before].every(isKept) && [...after].every(canStayEmpty);
}
