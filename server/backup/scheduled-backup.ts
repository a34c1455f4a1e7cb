/** The program of the daily backup, which the server starts. Its argument: `dueAt` in epoch milliseconds. */
import { readAuthSecret } from '../auth/secret.ts';
import { databaseKind } from '../database/connect.ts';
import { openCurrentDatabase } from '../database/open.ts';
import { readEnvironment, StartError } from '../environment.ts';
import { failureSentence } from '../http/failure-sentence.ts';
import { reasonOf } from '../http/log.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { backUpWhenDue } from './back-up-when-due.ts';

const stopped = new AbortController();
// The server signals this process when the server stops. A service manager also signals all processes of the
// server.
process.on('SIGTERM', () => stopped.abort(new StartError('O servidor parou, e o backup com ele.')));

try {
  const environment = readEnvironment();
  const database = await openCurrentDatabase(environment);
  const fileStore = await openFileStore(environment);
  try {
    const authSecret = await readAuthSecret(environment);
    const context = { environment, database, databaseKind: databaseKind(environment), fileStore, authSecret };
    const sentence = await backUpWhenDue(context, { dueAt: Number(process.argv[2]), signal: stopped.signal });
    if (sentence !== undefined) console.log(sentence);
  } finally {
    fileStore.close();
    await database.destroy();
  }
} catch (error) {
  const reason: unknown = stopped.signal.aborted ? stopped.signal.reason : error;
  console.error(`Backup: ${failureSentence(reason) ?? reasonOf(reason).stack}`);
  process.exitCode = 1;
}
