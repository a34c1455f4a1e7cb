/**
 * The baseline for creating activities: inserts rows with the database's driver alone, and flushes each row
 * to disk before the next. Both functions return inserts per second.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export function insertOnSqlite(folder: string, count: number, content: string): number {
  const database = new DatabaseSync(path.join(folder, `baseline-${process.hrtime.bigint()}.sqlite`));
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full;');
    database.exec(
      'create table activities (id text primary key, title text, url text, content text, createdAt integer)',
    );
    const insert = database.prepare('insert into activities values (?, ?, ?, ?, ?)');
    const started = performance.now();
    for (let index = 0; index < count; index += 1)
      insert.run(`id-${index}`, 'Um título', 'https://youtu.be/abcdefghijk', content, index);
    return (count * 1_000) / (performance.now() - started);
  } finally {
    database.close();
  }
}

export async function insertOnPostgres(url: string, count: number, content: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('drop table if exists bare');
    await client.query(
      'create table bare (id text primary key, title text, url text, content text, "createdAt" bigint)',
    );
    const insert = { name: 'insert', text: 'insert into bare values ($1, $2, $3, $4, $5)' };
    const started = performance.now();
    for (let index = 0; index < count; index += 1)
      await client.query({
        ...insert,
        values: [`id-${index}`, 'Um título', 'https://youtu.be/abcdefghijk', content, index],
      });
    return (count * 1_000) / (performance.now() - started);
  } finally {
    await client.end();
  }
}
