import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { connect } from '../database/connect.ts';
import { lockDataFolder } from '../database/installation/data-folder.ts';
import { lockForMove } from '../database/installation/postgres-moves.ts';
import { readEnvironment } from '../environment.ts';
import { startServer } from '../start.ts';
import { markArrival } from '../storage/store/arrival.ts';
import { openS3Store } from '../storage/store/s3.ts';
import { allDatabaseKinds, createEmptyPostgres } from '../testing/databases.ts';
import { findFreePort } from '../testing/free-port.ts';
import { createOldSite, type OldSite, stateOf } from '../testing/old-versions/old-site.ts';
import { type SwiftServer, s3Environment, startSwift } from '../testing/peers/swift.ts';
import { startServerProcess } from '../testing/server-process.ts';

let swift: SwiftServer;
before(async () => {
  swift = await startSwift();
});
after(() => swift.remove());

type Settings = Record<string, string>;
type Refusal = {
  when: string;
  on?: 'sqlite' | 'postgres';
  /** True if only root can prepare it. */
  asRoot?: boolean;
  /** The last migration of the database; without it, the database needs no migration. */
  last?: string;
  says: RegExp;
  /** Prepares the refusal. @returns settings to add */
  prepare(site: OldSite, t: TestContext): Promise<Settings | undefined>;
};

const nowhere = {
  endpoint: 'http://127.0.0.1:1',
  bucket: 'acolhe',
  region: 'us-east-1',
  accessKeyId: 'a',
  secretAccessKey: 'b',
};

const isRoot = process.getuid?.() === 0;

const inFolder = (site: OldSite, name: string) => path.join(site.dataDir, name);

/** Every reason that a start can be refused for, on a site whose database needs migrations. */
const refusals: Refusal[] = [
  {
    when: 'a setting is wrong',
    says: /APP_CHECK_COST vale/,
    prepare: async () => ({ APP_CHECK_COST: 'muito' }),
  },
  {
    when: 'another program has the port',
    says: /A porta \d+ já está em uso/,
    prepare: async (_site, t) => {
      const port = await findFreePort();
      const other = createServer().listen({ host: 'localhost', port });
      t.after(() => other.close());
      await once(other, 'listening');
      return { PORT: String(port) };
    },
  },
  {
    when: 'HOST is not an address of this machine',
    says: /HOST vale "192\.0\.2\.1"/,
    prepare: async () => ({ HOST: '192.0.2.1', PORT: String(await findFreePort()) }),
  },
  {
    when: 'another server uses the data folder',
    says: /Outro servidor já usa a pasta de dados/,
    prepare: async (site, t) => {
      t.after(lockDataFolder(site.dataDir));
      return undefined;
    },
  },
  {
    when: 'it may not change the folder of files',
    says: /files não deixam o servidor ler e gravar.*chmod -R u\+rwX/,
    prepare: async (site) => {
      await chmod(inFolder(site, 'files'), 0o500);
      return undefined;
    },
  },
  {
    when: 'the database belongs to another user',
    on: 'sqlite',
    asRoot: true,
    says: /acolhe\.sqlite pertence a outro usuário \(65534\)/,
    prepare: async (site) => {
      await chown(inFolder(site, 'acolhe.sqlite'), 65_534, 65_534);
      return undefined;
    },
  },
  {
    when: 'the disk has no space for the copy before the migrations',
    asRoot: true,
    on: 'sqlite',
    last: '013-access-log-actor',
    says: /Faltam \d+ MB livres no disco/,
    prepare: async (site, t) => {
      const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'acolhe-small-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', DATA_DIR]);
      t.after(() => {
        execFileSync('umount', ['--lazy', DATA_DIR]);
        return rm(DATA_DIR, { recursive: true });
      });
      await cp(site.dataDir, DATA_DIR, { recursive: true });
      return { DATA_DIR };
    },
  },
  {
    when: 'AUTH_SECRET is missing',
    on: 'postgres',
    says: /é preciso AUTH_SECRET/,
    prepare: async () => ({ AUTH_SECRET: '' }),
  },
  {
    when: 'the file with the secret is missing',
    on: 'sqlite',
    says: /Falta .*auth-secret, o segredo deste site.*\n.*cópia de segurança.*\n.*admin -- new-secret/,
    prepare: async (site) => {
      await rm(inFolder(site, 'auth-secret'));
      return undefined;
    },
  },
  {
    when: 'the file with the secret is incomplete',
    on: 'sqlite',
    says: /O segredo em .* está vazio ou incompleto/,
    prepare: async (site) => {
      await truncate(inFolder(site, 'auth-secret'), 5);
      return undefined;
    },
  },
  {
    when: 'S3 does not respond',
    says: /O bucket http:\/\/127\.0\.0\.1:1\/acolhe não respondeu/,
    prepare: async (site) => {
      await site.change('delete from files');
      return s3Environment(nowhere);
    },
  },
  {
    when: 'the files are on the disk, and S3_* name an empty bucket',
    says: /O bucket .* não tem os arquivos deste site.*\n.*\n.*npm run move -- --to-s3/,
    prepare: async () => s3Environment(swift),
  },
  {
    when: 'the recorded store is the disk, and S3_* name a bucket',
    says: /estão na pasta de dados, e as variáveis S3_\* dizem outra coisa.*npm run move -- --to-s3/,
    prepare: async (site) => {
      await site.change(`update installation set contents = 'disk'`);
      return s3Environment(swift);
    },
  },
  {
    when: 'the recorded store is a bucket, and S3_* are missing',
    says: /estão no S3, e faltam as variáveis S3_\*/,
    prepare: async (site) => {
      await site.change(`update installation set contents = 's3', folder = 'https://s3.exemplo/arquivos'`);
      return undefined;
    },
  },
  {
    when: 'the recorded store is another bucket, whose files are not in this one',
    says: /O bucket .* não tem os arquivos deste site/,
    prepare: async (site) => {
      await site.change(`update installation set contents = 's3', folder = 'https://s3.exemplo/arquivos'`);
      return s3Environment(swift);
    },
  },
  {
    when: 'the files are neither on the disk nor recorded elsewhere',
    says: /A pasta .*files não tem os arquivos deste site.*\n.*S3_\*.*\n.*docs\/backup\.md/,
    prepare: async (site) => {
      await rename(inFolder(site, 'files'), inFolder(site, 'outra'));
      return undefined;
    },
  },
  {
    when: 'a move of the files to the bucket has not ended',
    says: /A mudança dos arquivos do site para este lugar não terminou/,
    prepare: async () => {
      const bucket = await swift.addBucket();
      const store = openS3Store(bucket);
      await markArrival(store, 'a move');
      store.close();
      return s3Environment(bucket);
    },
  },
  {
    when: 'a move to the database has not ended',
    says: /A mudança do site para este banco de dados não terminou/,
    prepare: async (site) => {
      await site.change(`update installation set move = 'a move'`);
      return undefined;
    },
  },
  {
    when: 'a move is running',
    on: 'postgres',
    says: /Uma mudança deste banco de dados está em andamento/,
    prepare: async ({ settings }, t) => {
      const other = connect({ dataDir: '', databaseUrl: settings.DATABASE_URL, databasePool: 1 });
      const transaction = await other.startTransaction().execute();
      t.after(async () => {
        await transaction.rollback().execute();
        await other.destroy();
      });
      await lockForMove(transaction);
      return undefined;
    },
  },
  {
    when: 'the files are in the data folder of another machine',
    on: 'postgres',
    says: /estão em outra pasta de dados/,
    prepare: async (site) => {
      await site.change(`update installation set folder = 'another'`);
      return undefined;
    },
  },
  {
    when: 'the database is of a newer version',
    says: /versão mais nova.*999-futuro/,
    prepare: async (site) => {
      await site.change(
        site.kind === 'sqlite'
          ? `insert into kysely_migration values ('999-futuro', '2030-01-01')`
          : `insert into kysely_migration (name, timestamp) values ('999-futuro', '2030-01-01')`,
      );
      return undefined;
    },
  },
  {
    when: 'the database is damaged',
    on: 'sqlite',
    says: /está danificado/,
    prepare: async (site) => {
      await writeFile(inFolder(site, 'acolhe.sqlite'), 'isto não é um banco de dados'.repeat(1_000));
      return undefined;
    },
  },
  {
    when: 'the database is missing',
    on: 'sqlite',
    says: /o banco de dados \(acolhe\.sqlite\) está faltando/,
    prepare: async (site) => {
      await rm(inFolder(site, 'acolhe.sqlite'));
      return undefined;
    },
  },
  {
    when: 'the site was moved to PostgreSQL',
    on: 'sqlite',
    says: /O site foi mudado da pasta de dados/,
    prepare: async (site) => {
      await rename(inFolder(site, 'acolhe.sqlite'), inFolder(site, 'acolhe.moved-1.sqlite'));
      return undefined;
    },
  },
];

for (const kind of allDatabaseKinds)
  describe(`a refused start on ${kind} changes neither the database nor the data folder`, () => {
    for (const { when, asRoot, last, says, prepare } of refusals.filter(
      ({ on }) => on === undefined || on === kind,
    ))
      it(`when ${when}`, { skip: asRoot && !isRoot && 'only root can prepare this' }, async (t) => {
        const site = await createOldSite(t, kind, last);
        const settings = { ...site.settings, PORT: '0', ...(await prepare(site, t)) };
        const state = await stateOf(settings);
        await assert.rejects(start(settings), { name: 'StartError', message: says });
        assert.deepEqual(await stateOf(settings), state);
      });
  });

describe('a refused start on an empty place creates nothing', () => {
  const cases: [string, () => Promise<Settings>, RegExp][] = [
    ['without AUTH_SECRET', async () => ({ DATABASE_URL: await createEmptyPostgres() }), /AUTH_SECRET/],
    ['with an unreachable S3', async () => s3Environment(nowhere), /não respondeu/],
    ['with a wrong HOST', async () => ({ HOST: '192.0.2.1' }), /HOST vale/],
  ];
  for (const [what, prepare, says] of cases)
    it(what, async (t) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-new-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const DATA_DIR = path.join(folder, 'um/dois');
      const settings: Settings = { DATA_DIR, PORT: String(await findFreePort()), ...(await prepare()) };
      await assert.rejects(start(settings), { name: 'StartError', message: says });
      assert.deepEqual(await stateOf({ ...settings, DATA_DIR: folder }), {
        rows: settings.DATABASE_URL && {},
      });
    });
});

describe('a site of an earlier version', () => {
  for (const kind of allDatabaseKinds)
    for (const last of ['013-access-log-actor', '033-public-practices'])
      it(`with ${last} on ${kind} records at its start that its files are on the disk`, async (t) => {
        const site = await createOldSite(t, kind, last);
        const server = await startServerProcess(site.dataDir, site.settings);
        t.after(() => server.kill());
        await server.stop();
        await assert.rejects(start({ ...site.settings, PORT: '0', ...s3Environment(swift) }), {
          message: /estão na pasta de dados, e as variáveis S3_\* dizem outra coisa/,
        });
      });
});

it('the process ends with the reason when a check refuses the start', async (t) => {
  const site = await createOldSite(t, 'sqlite');
  await mkdir(inFolder(site, 'usage-records/2026'), { mode: 0o500 });
  const state = await stateOf(site.settings);
  await assert.rejects(startServerProcess(site.dataDir), {
    message: /^The server ended with 1:\nAs permissões de .*2026 não deixam.*\n$/,
  });
  assert.deepEqual(await stateOf(site.settings), state);
});

const start = async (settings: Settings) => startServer(readEnvironment(settings));
