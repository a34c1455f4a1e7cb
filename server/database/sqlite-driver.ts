import { type DatabaseConnection, type SqliteDialectConfig, SqliteDriver } from 'kysely';
import type { LogSync } from './log-sync.ts';
import { isWithoutSync } from './without-sync.ts';

/**
 * A driver that lends its only connection to one caller at a time. A caller that has written gets its result
 * once its commits are on the disk. Meanwhile the next caller can use the connection.
 */
export class SyncingSqliteDriver extends SqliteDriver {
  readonly #log: LogSync;
  /** Resolves when the previous caller has given the connection back. */
  #last: Promise<void> = Promise.resolve();
  #giveBack = () => {};
  #commitsBefore = 0;

  constructor(config: SqliteDialectConfig, log: LogSync) {
    super(config);
    this.#log = log;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    this.#giveBack = resolve;
    this.#commitsBefore = this.#log.commits();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const commits = this.#log.commits();
    const hasWritten = commits > this.#commitsBefore;
    this.#giveBack();
    if (hasWritten && !isWithoutSync()) await this.#log.wait(commits);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#log.close();
  }
}
