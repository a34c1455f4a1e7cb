import { rename } from 'node:fs/promises';
import type { Database, DatabaseKind } from '../../database/connect.ts';
import { syncFolder, writeDurably } from '../../database/durable-files.ts';
import { newSecret } from '../../database/installation/secret-file.ts';
import { commitForCertain } from '../../database/lost-commit.ts';
import { type Environment, StartError } from '../../environment.ts';
import { destroyDiary } from '../entries.ts';
import { forgetMessages, sealMessagesAgain } from '../week/assignments.ts';
import { checkMasterKey, diaryKeyFile, masterKeyOf, nextKeyFile } from './master-key.ts';
import { fingerprintOf } from './sealing.ts';
import { sealKeysAgain } from './user-key.ts';

type Site = { environment: Environment; database: Database; kind: DatabaseKind };

/**
 * Seals the keys of all users, and the messages of assignments, with a new master key: DIARY_KEY_NEXT, or a
 * new file. No server may run. If the process stops in between, the next start finds the right file.
 * @returns the number of keys
 * @throws StartError when the present master key is missing or does not fit
 */
export async function rotateMasterKey({ environment, database, kind }: Site): Promise<number> {
  const { dataDir, diaryKey, nextDiaryKey } = environment;
  const from = await checkMasterKey(environment, database);
  if (!from) throw new StartError('Ainda não há uma chave dos diários. Nada foi mudado.');
  if ((diaryKey === undefined) !== (nextDiaryKey === undefined))
    throw new StartError(
      diaryKey === undefined
        ? 'DIARY_KEY_NEXT só vale junto com DIARY_KEY. Nada foi mudado.'
        : 'A chave vem de DIARY_KEY: escreva a chave nova em DIARY_KEY_NEXT, por exemplo o que openssl rand -base64 48 mostra. Nada foi mudado.',
    );
  const next = nextDiaryKey ?? newSecret();
  if (nextDiaryKey === undefined) await writeDurably(nextKeyFile(dataDir), next);
  const to = masterKeyOf(next);
  const count = await commitForCertain(database, kind, async (transaction) => {
    await transaction
      .updateTable('diaryMasterKey')
      .set({ fingerprint: fingerprintOf(to) })
      .execute();
    await sealMessagesAgain(transaction, from, to);
    return sealKeysAgain(transaction, from, to);
  });
  if (nextDiaryKey === undefined) {
    await rename(nextKeyFile(dataDir), diaryKeyFile(dataDir));
    await syncFolder(dataDir);
  }
  return count;
}

/** Counts the diaries and entries that a master key opens. */
export async function countDiaries(database: Database): Promise<{ diaries: number; entries: number }> {
  const { diaries } = await database
    .selectFrom('diaries')
    .select((row) => row.fn.count<number>('sealedKey').as('diaries'))
    .executeTakeFirstOrThrow();
  const { entries } = await database
    .selectFrom('diaryEntries')
    .select((row) => row.fn.count<number>('sealed').as('entries'))
    .executeTakeFirstOrThrow();
  return { diaries: Number(diaries), entries: Number(entries) };
}

/**
 * Deletes all diaries, and the messages of assignments, of an installation that has lost its master key. No
 * server may run.
 */
export async function forgetDiaries(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { uid } of await transaction.selectFrom('diaries').select('uid').execute())
      await destroyDiary(transaction, uid);
    await forgetMessages(transaction);
    await transaction.deleteFrom('diaryMasterKey').execute();
  });
}
