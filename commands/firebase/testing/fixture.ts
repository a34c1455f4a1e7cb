import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { png } from '#server/testing/pictures.ts';
import { mp3 } from '#server/testing/storage.ts';

/** An invented Firebase project, in the formats of the official tools. */
export type Project = {
  id: string;
  accounts: Record<string, unknown>[];
  documents: { name: string; fields: unknown }[];
  contents: { bucket: string; name: string; contentType: string; content: Uint8Array; token?: string }[];
  hashConfig: Record<string, unknown>;
};

export const projectId = 'clinica-antiga';
export const bucket = `${projectId}.appspot.com`;
/** The sample parameters of firebase/scrypt's README. */
export const hashConfig = {
  algorithm: 'SCRYPT',
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14,
};

/** Hashes a password as Firebase documents it, independently of the server's code. @returns Base64 */
export function firebaseHash(password: string, salt: string, config = hashConfig): string {
  const salted = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(config.saltSeparator, 'base64')]);
  const [N, r] = [2 ** config.memoryCost, config.rounds];
  const key = scryptSync(Buffer.from(password, 'utf8'), salted, 32, { N, r, p: 1, maxmem: 2 ** 26 });
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return Buffer.concat([cipher.update(Buffer.from(config.signerKey, 'base64')), cipher.final()]).toString(
    'base64',
  );
}

/** An account as `firebase auth:export` writes it. Without `password`, its hash is random. */
export function account(uid: string, changes: Record<string, unknown> = {}, password?: string) {
  const salt = randomBytes(10).toString('base64');
  return {
    localId: uid,
    email: `${uid.toLowerCase()}@exemplo.com.br`,
    emailVerified: true,
    passwordHash: password === undefined ? randomBytes(64).toString('base64') : firebaseHash(password, salt),
    salt,
    displayName: `Pessoa ${uid}`,
    lastSignedInAt: '1700000000000',
    createdAt: '1600000000000',
    providerUserInfo: [],
    ...changes,
  };
}

export const googleInfo = (rawId: string) => ({
  providerUserInfo: [{ providerId: 'google.com', rawId, email: 'x@exemplo.com.br', displayName: 'Nome' }],
});

/** A document of Firestore's REST interface. */
export function document(place: string, fields: Record<string, unknown>) {
  return {
    name: `projects/${projectId}/databases/(default)/documents/${place}`,
    fields: typedFields(fields),
    createTime: '2023-01-01T00:00:00.000000Z',
    updateTime: '2023-01-01T00:00:00.000000Z',
  };
}

const typedFields = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, typed(value)]));

function typed(value: unknown): unknown {
  if (value === null || value === undefined) return { nullValue: null };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
  if (typeof value === 'string') return { stringValue: value };
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  // Firestore leaves `values` and `fields` out when they are empty.
  if (Array.isArray(value)) return { arrayValue: value.length > 0 ? { values: value.map(typed) } : {} };
  return { mapValue: { fields: typedFields(value as Record<string, unknown>) } };
}

/** The record that the old site wrote at sign-up. */
export const userRecord = (uid: string, changes: Record<string, unknown> = {}) =>
  document(`users/${uid}`, {
    id: uid,
    displayName: `Pessoa ${uid}`,
    email: `${uid.toLowerCase()}@exemplo.com.br`,
    research: false,
    member: false,
    staff: false,
    profilePic: false,
    ...changes,
  });

/** A practice as the old site wrote it. */
export const practice = (id: string, axis: string, changes: Record<string, unknown> = {}) => ({
  ...{ id, createdAt: 1_650_000_000_000, updatedAt: 1_660_000_000_000, axis, title: `Prática ${id}` },
  ...{ url: 'https://www.youtube.com/watch?v=abcdefghijk', image: '', content: 'Note o ar que entra.' },
  ...changes,
});

export const list = (name: string, practices: unknown[]) =>
  document(`activities/${name}`, { [name]: practices });

/** The URL that Firebase's `getDownloadURL` returns. */
export const downloadUrl = (name: string, inBucket = bucket, token = 'a-b-c') =>
  `https://firebasestorage.googleapis.com/v0/b/${inBucket}/o/${encodeURIComponent(name)}?alt=media&token=${token}`;

export const content = (name: string, bytes: Uint8Array, contentType: string, inBucket = bucket) => ({
  ...{ bucket: inBucket, name, contentType, content: bytes, token: 'a-b-c' },
});

/**
 * A small project with one example of each case. Ana's password is `senhaDaAna1`.
 * @param withFiles false for a project without files, whose import draws no pictures
 */
export async function smallProject(withFiles = true): Promise<Project> {
  const picture = await png(60, 40);
  const url = (name: string) => withFiles && downloadUrl(name);
  const image = 'postImages/mind/theory/abc';
  const audio = 'postAudios/mind/som1';
  return {
    id: projectId,
    hashConfig,
    accounts: [
      account('ana', {}, 'senhaDaAna1'),
      account('bia', { ...googleInfo('1234567890'), passwordHash: undefined, salt: undefined }),
      account('caio', { disabled: true }),
      account('davi', { email: undefined, phoneNumber: '+5511999999999' }),
      account('anonima', { email: undefined, passwordHash: undefined, salt: undefined }),
      account('eva', { emailVerified: false, mfaInfo: [{ mfaEnrollmentId: '1' }] }),
    ],
    documents: [
      userRecord('ana', { member: 'admin', profilePic: url('fotos/ana foto.png') }),
      userRecord('bia', {
        member: true,
        category: 'patient',
        profilePic: 'https://lh3.googleusercontent.com/a/b',
      }),
      userRecord('eva'),
      userRecord('apagada'),
      document('wordMood/ana', {
        words: ['calma', 'sono'],
        at: new Date(1_700_000_000_000),
        deep: { score: 0.5, note: `Veja ${url('humor/ana/desenho.png')}.` },
      }),
      list('mindActsList', [
        practice('um', 'mind', { image: url(image), audio: url(audio) }),
        practice('dois', 'mind', withFiles ? { content: `Ouça em gs://${bucket}/${audio}, com calma.` } : {}),
      ]),
      list('valuesActsList', [practice('tres', 'family')]),
    ],
    contents: withFiles
      ? [
          content('fotos/ana foto.png', picture, 'image/png'),
          content('humor/ana/desenho.png', picture, 'image/png'),
          content(image, picture, 'image/png'),
          content(audio, mp3(5_000), 'audio/mpeg'),
        ]
      : [],
  };
}

/** Writes the folder as `commands/firebase-export.mjs` does, and removes it after the test. */
export async function writeProject(
  t: TestContext,
  { id, accounts, documents, contents, hashConfig }: Project,
) {
  const parent = await mkdtemp(path.join(tmpdir(), 'acolhe-firebase-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const folder = path.join(parent, 'exportado');
  await mkdir(path.join(folder, 'files'), { recursive: true });
  const write = (name: string, text: string | Uint8Array) => writeFile(path.join(folder, name), text);
  const users = accounts.map((one) => JSON.stringify(one, null, 2)).join(',\n');
  await write('accounts.json', `{"users": [\n${users}]}`);
  await write('hash-config.json', JSON.stringify(hashConfig));
  await write('documents.ndjson', documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const lines: string[] = [];
  for (const { bucket, name, contentType, content, token } of contents) {
    const local = createHash('sha256').update(`${bucket}/${name}`).digest('hex');
    await write(`files/${local}`, content);
    const md5Hash = createHash('md5').update(content).digest('base64');
    lines.push(
      `${JSON.stringify({ bucket, name, contentType, downloadTokens: token, size: content.length, md5Hash, timeCreated: '2023-01-01T00:00:00Z' })}\n`,
    );
  }
  await write('files.ndjson', lines.join(''));
  const counts = { accounts: accounts.length, documents: documents.length, files: contents.length };
  await write('export.json', JSON.stringify({ project: id, ...counts }));
  return folder;
}

/** A project with 10,000 accounts. The passwords of the first three are `Senha` followed by the uid. */
export async function largeProject(): Promise<Project> {
  const small = await smallProject();
  const accounts = Array.from({ length: 10_000 }, (_, index) => {
    const uid = `pessoa${String(index).padStart(22, '0')}`;
    if (index % 500 === 1) return account(uid, { disabled: true });
    if (index % 500 === 2) return account(uid, { email: undefined });
    if (index % 20 === 3) return account(uid, { ...googleInfo(`1000${index}`), passwordHash: undefined });
    return account(uid, {}, index < 3 ? `Senha${uid}` : undefined);
  });
  const axes = { mind: 'mind', move: 'move', nutri: 'nutri', values: 'career' };
  const lists = Object.entries(axes).map(([main, axis]) =>
    list(
      `${main}ActsList`,
      Array.from({ length: 250 }, (_, index) =>
        practice(
          `${main}${index}-1650000000000`,
          axis,
          index % 50 === 0 ? { image: downloadUrl('postImages/mind/theory/abc') } : {},
        ),
      ),
    ),
  );
  const uids = accounts.map(({ localId }) => localId);
  const moods = uids.filter((_, index) => index % 2 === 0);
  return {
    ...small,
    accounts,
    documents: [
      ...uids.map((uid) => userRecord(uid)),
      ...moods.map((uid) => document(`wordMood/${uid}`, { words: ['calma', 'medo'], scores: [1, 2.5], uid })),
      ...lists,
    ],
    contents: small.contents.slice(2),
  };
}
