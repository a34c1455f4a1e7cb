import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '#server/database/connect.ts';
import { startPostgres } from '#server/testing/postgres.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { s3Environment, startSwift } from '#server/testing/swift.ts';
import { startSubject } from './subject.ts';

export type Instance = { url: string; pid: number };

/**
 * Starts several instances of the product on PostgreSQL and S3, with the admin of `startSubject`.
 * @param fill fills the database before the start
 */
export async function startInstances(count: number, fill?: (database: Database) => Promise<void>) {
  const undo: (() => Promise<unknown>)[] = [];
  const postgres = await startPostgres({ durable: true });
  undo.push(postgres.stop);
  const s3 = await startSwift();
  undo.push(s3.remove);
  const shared = s3Environment(s3);
  const first = await startSubject(fill, { databaseUrl: postgres.url, environment: shared });
  undo.push(first.stop);
  const instances: Instance[] = [first];
  while (instances.length < count) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServerProcess(dataDir, {
      LOG_LEVEL: 'info',
      DATABASE_URL: postgres.url,
      ...shared,
    });
    undo.push(server.kill);
    instances.push(server);
  }
  return {
    instances,
    postgres,
    async stop() {
      for (const step of undo.reverse()) await step();
    },
  };
}
