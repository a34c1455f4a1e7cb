import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Client } from '#client/client.ts';
import type { DiaryClient } from '#client/diary.ts';
import { dateOf, dayAfter, dayInBrasilia } from '#contract/calendar.ts';
import { diaryTerms } from '#contract/diary/consent.ts';
import type { DiaryChange } from '#contract/diary/entry.ts';
import type { Clinician, ShareScope } from '#contract/diary/share.ts';
import type { StoredMember } from '#contract/user.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { masterKeyOf } from '../diary/keys/master-key.ts';
import { seal } from '../diary/keys/sealing.ts';
import { openDiary } from '../diary/keys/user-key.ts';
import { codeOf } from './authenticator.ts';
import { credentialsOf } from './backups/clinic.ts';
import { startTestServer, type TestServer, visitorAt } from './server.ts';

/** Gives the consent that a diary needs. @returns the client of the user's diary */
export async function beginDiary(client: Client): Promise<DiaryClient> {
  const diary = await client.diary();
  await diary.giveConsent(diaryTerms);
  return diary;
}

export type Joined = Awaited<ReturnType<TestServer['join']>>;

const dayMs = 24 * 60 * 60_000;

/** Joins a user with a second factor, in a strong session. */
export async function joinProtected(
  { join }: Pick<TestServer, 'join'>,
  member: StoredMember = 'admin',
  name = 'Dora',
) {
  const user = await join(member, name);
  const { uri, recoveryCodes } = await user.client.auth.beginSecondFactor({ password: user.password });
  await user.client.auth.confirmSecondFactor(codeOf(uri));
  return { ...user, recoveryCodes };
}

let lastCrm = 100_000;

/** Joins an admin with a second factor, and names this user a clinician. */
export async function joinClinician(
  { join, database }: Pick<TestServer, 'join' | 'database'>,
  name = 'Dora',
) {
  const user = await joinProtected({ join }, 'admin', name);
  lastCrm += 1;
  const clinician: Clinician = { uid: user.uid, name, crm: `CRM-SP ${lastCrm}` };
  await database
    .insertInto('clinicians')
    .values({ ...clinician, namedAt: Date.now() })
    .execute();
  return { ...user, clinician };
}

/** Stores a share. By default: all parts of all days, for a week. @returns its id */
export async function addShare(
  { database }: Pick<TestServer, 'database'>,
  uid: string,
  clinician: Clinician,
  changes: Partial<ShareScope> = {},
): Promise<string> {
  const scope: ShareScope = {
    ...{ from: '2000-01-01', to: '2099-12-31', notes: true, practices: true },
    expiresAt: Date.now() + 7 * dayMs,
    ...changes,
  };
  const id = randomUUID();
  await database
    .insertInto('diaryShares')
    .values({
      ...{ uid, id, clinicianUid: clinician.uid, clinicianName: clinician.name, crm: clinician.crm },
      ...{ scope: JSON.stringify(scope), consent: '', consentVersion: '', consentDigest: '' },
      ...{ grantedAt: Date.now(), expiresAt: scope.expiresAt, endedAt: null, endedBy: null },
    })
    .execute();
  return id;
}

/** Stores a note for a consultation, which the patient shows. @returns its id */
export async function addShownNote(
  { database, dataDir }: Pick<TestServer, 'database' | 'dataDir'>,
  uid: string,
  { clinicianUid, day, answer }: { clinicianUid: string; day: string; answer: string },
): Promise<string> {
  const id = randomUUID();
  const masterKey = masterKeyOf(await readFile(path.join(dataDir, 'diary-key'), 'utf8'));
  const { key, keyVersion } = await openDiary(database, masterKey, uid);
  const questions = ['O que evitei dizer', 'O que eu gostaria hoje', 'O que ficou comigo'];
  const content = { questions, answers: [answer, '', ''] };
  const sealed = seal(key, Buffer.from(JSON.stringify(content)), ['consultationNotes', uid, id, keyVersion]);
  await database
    .insertInto('consultationNotes')
    .values({
      ...{ uid, id, clinicianUid, day, revision: 1, shownAt: Date.now(), createdAt: Date.now(), sealed },
    })
    .execute();
  return id;
}

/** Adds an entry to a user's diary. @returns its id */
export async function addEntry(
  { client }: Pick<Joined, 'client'>,
  fields: Partial<DiaryChange> = {},
): Promise<string> {
  const id = randomUUID();
  await (await client.diary()).change(id, {
    ...{ change: randomUUID(), day: dayInBrasilia(Date.now()), zone: 'America/Sao_Paulo' },
    words: { add: ['calma'], remove: [] },
    ...fields,
  });
  return id;
}

/** Signs in on another browser, in a session that is not strong. */
export async function signInWeakly(
  server: TestServer,
  { email, password, recoveryCodes }: Joined & { recoveryCodes: string[] },
) {
  const { client } = visitorAt(server.url, server.origin);
  await client.auth.signIn({ email, password });
  const { user } = await client.auth.finishSignIn(recoveryCodes[0] ?? '');
  // As after a sign-in before the second factor was on.
  await server.database
    .updateTable('sessions')
    .set({ strong: false })
    .where('userId', '=', user.uid)
    .where(
      'id',
      '=',
      (await client.documents.exportAccount()).sessions.find(({ current }) => current)?.id ?? '',
    )
    .execute();
  return client;
}

/** A calendar day some days ago, in UTC. */
export const dayAgo = (days: number) => dayAfter(dateOf(Date.now()), -days);

/** A change of an entry, or a new entry of today. */
export const change = (fields: Partial<DiaryChange>): DiaryChange => ({
  ...{ change: randomUUID(), day: dayAgo(0), zone: 'America/Rio_Branco' },
  ...fields,
});
export const words = (...add: string[]) => change({ words: { add, remove: [] } });

/** A server with a user, and the diary client on two devices of the user. */
export async function withDevices(
  t: TestContext,
  kind: DatabaseKind,
  options: { passwordCost?: number } = {},
) {
  const server = await startTestServer(t, kind, options);
  const ana = await server.join();
  const other = visitorAt(server.url, server.origin).client;
  await other.auth.signIn(credentialsOf(ana));
  return { server, ana, phone: await beginDiary(ana.client), laptop: await other.diary() };
}
