/**
 * The limit of a create: the row of an activity inserted by node:sqlite alone, each insert synced to the disk
 * before the next. `await insertSynced(folder, count)` gives how many there were a second.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function insertSynced(folder: string, count: number, content: string): number {
  const database = new DatabaseSync(path.join(folder, `limit-${process.hrtime.bigint()}.sqlite`));
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
