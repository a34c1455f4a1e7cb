import { hkdfSync } from 'node:crypto';
import path from 'node:path';
import type { Database } from '../../database/connect.ts';
import {
  createSecretFile,
  isWholeSecret,
  readSecretFile,
  replaceSecretFile,
} from '../../database/installation/secret-file.ts';
import { type Environment, StartError } from '../../environment.ts';
import { fingerprintOf, type Key } from './sealing.ts';

/*
 * The master key seals the keys of all users. It comes from DIARY_KEY, or from a file in the data folder, and
 * is never in the database. The database knows its fingerprint, so that another key stops the start.
 */

const onlyRow = 1;

type Settings = Pick<Environment, 'diaryKey' | 'dataDir'>;

/** Where the master key is, if DIARY_KEY is not set. */
export const diaryKeyFile = (dataDir: string) => path.join(dataDir, 'diary-key');

/** While the keys of users are sealed again, the data folder holds the next master key, too. */
export const nextKeyFile = (dataDir: string) => path.join(dataDir, 'diary-key-next');

/** Derives the master key from a secret. */
export const masterKeyOf = (secret: string): Key =>
  Buffer.from(hkdfSync('sha256', secret, '', 'acolhe diary', 32));

/**
 * Reads the master key, and creates the file of a new installation.
 * @throws StartError when the key is missing, or is not the one that the database knows
 */
export async function openMasterKey(settings: Settings, database: Database): Promise<Key> {
  let key = await checkMasterKey(settings, database);
  if (!key) {
    await createSecretFile(diaryKeyFile(settings.dataDir));
    key = await checkMasterKey(settings, database);
  }
  if (!key) throw new Error('The file with the new diary key has vanished.');
  await database
    .insertInto('diaryMasterKey')
    .values({ id: onlyRow, fingerprint: fingerprintOf(key) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another instance may have recorded its key first.
  await checkMasterKey(settings, database);
  return key;
}

/**
 * Reads the master key, and changes nothing but the name of a file after an interrupted rotation.
 * @returns undefined if a server will create it
 * @throws StartError like `openMasterKey`
 */
export async function checkMasterKey(settings: Settings, database: Database): Promise<Key | undefined> {
  const known = await findFingerprint(database);
  const fits = (secret: string) => known === undefined || fingerprintOf(masterKeyOf(secret)) === known;
  const { diaryKey, dataDir } = settings;
  if (diaryKey !== undefined) {
    if (!fits(diaryKey)) throw doesNotFit('DIARY_KEY');
    return masterKeyOf(diaryKey);
  }
  const secret = await readSecretFile(diaryKeyFile(dataDir));
  if (secret !== undefined && fits(secret)) {
    if (!isWholeSecret(secret)) throw doesNotFit(diaryKeyFile(dataDir));
    return masterKeyOf(secret);
  }
  const next = await readSecretFile(nextKeyFile(dataDir));
  if (next !== undefined && known !== undefined && fits(next)) {
    await replaceSecretFile(diaryKeyFile(dataDir), next);
    return masterKeyOf(next);
  }
  if (secret !== undefined) throw doesNotFit(diaryKeyFile(dataDir));
  if (known !== undefined) throw lost(diaryKeyFile(dataDir));
  return undefined;
}

/** @returns undefined if the database has never had a master key */
async function findFingerprint(database: Database): Promise<string | undefined> {
  const row = await database.selectFrom('diaryMasterKey').select('fingerprint').executeTakeFirst();
  return row?.fingerprint;
}

const lost = (file: string) =>
  new StartError(
    [
      `Falta ${file}, a chave dos diários. Nada foi mudado.`,
      'Recupere esse arquivo da cópia de segurança, ou escreva a chave em DIARY_KEY. Com várias máquinas, DIARY_KEY é a mesma em todas.',
      'Se ela se perdeu de vez: npm run diary-key -- forget apaga os diários, que ninguém mais pode abrir.',
    ].join('\n'),
  );

const doesNotFit = (place: string) =>
  new StartError(
    [
      `${place} não é a chave com que os diários foram guardados. Nada foi mudado.`,
      'Ponha de volta a chave de antes. Com várias máquinas, DIARY_KEY é a mesma em todas.',
      'Se ela se perdeu de vez: npm run diary-key -- forget apaga os diários, que ninguém mais pode abrir.',
    ].join('\n'),
  );
