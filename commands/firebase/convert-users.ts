import { email } from '#contract/credentials.ts';
import { adminUserPatch, moodRecord, ownUserPatch } from '#contract/user.ts';
import { firebaseKeyBytes, firebaseLimits, writeFirebaseHash } from '#server/auth/passwords/firebase-hash.ts';
import type { ImportedSignIn } from '#server/auth/sign-in-methods.ts';
// Sets the language of the schemas' messages.
import '#server/http/parse.ts';
import type { ImportedUser } from '#server/users/import-users.ts';
import { isOneAddress } from './addresses.ts';
import { epochMs, type Plan, type Rewriting, type Where } from './convert.ts';
import { newUserId } from './new-ids.ts';
import {
  base64,
  type Export,
  type HashConfig,
  isRecord,
  type OldAccount,
  type Plain,
} from './read-export.ts';
import type { Report } from './report.ts';

type Tools = { report: Report; rewriting: Rewriting };
type Documents = Map<string, Record<string, Plain>>;
/** A user of the export who can be imported. */
type Known = { oldId: string; account: OldAccount; email: string; createdAt: number };

const mostIdCharacters = 128;
const mostGoogleIdCharacters = 255;
const lastEpochMs = 8_640_000_000_000_000;

/** Converts accounts with their documents `users/{uid}`. No user becomes an admin here. */
export function convertUsers(
  { accounts, hashConfig }: Pick<Export, 'accounts' | 'hashConfig'>,
  documents: Documents,
  { report, rewriting }: Tools,
): { users: ImportedUser[]; signIns: ImportedSignIn[]; newIds: Map<string, string> } {
  const known = findKnown(accounts, report);
  const newIds = new Map(known.map(({ oldId }) => [oldId, newUserId(oldId)]));
  const users: ImportedUser[] = [];
  const signIns: ImportedSignIn[] = [];
  const googleIds = new Set<string>();
  for (const one of known) {
    const id = newUserId(one.oldId);
    const password = convertPassword(one, hashConfig, report);
    const googleId = findGoogleId(one, googleIds, report);
    listLeftOut(one, password !== null || googleId !== null, report);
    signIns.push({ uid: id, createdAt: one.createdAt, password, googleId });
    const record = convertRecord(one, id, documents.get(one.oldId), { report, rewriting });
    users.push({ ...record, nameFromGoogle: googleId !== null });
  }
  for (const id of documents.keys())
    if (!newIds.has(id))
      report.leaveOut(`users/${id}`, '', 'Nenhuma conta importada tem esta identificação.');
  return { users, signIns, newIds };
}

/** Finds the accounts that can be imported: not disabled, with an email address that no other account has. */
function findKnown(accounts: OldAccount[], report: Report): Known[] {
  const [ids, emails] = [new Set<string>(), new Map<string, string>()];
  return accounts.flatMap((account, index): Known[] => {
    const { localId, createdAt } = account;
    if (typeof localId !== 'string' || localId === '' || localId.length > mostIdCharacters) {
      report.reject(`accounts/${index}`, 'localId', 'A conta não tem uma identificação válida.');
      return [];
    }
    const id = `accounts/${localId}`;
    const refuse = (field: string, reason: string) => {
      report.reject(id, field, reason);
      return [];
    };
    const leaveOut = (field: string, reason: string) => {
      report.leaveOut(id, field, reason);
      return [];
    };
    if (ids.has(newUserId(localId))) return refuse('localId', 'Outra conta já tem esta identificação.');
    ids.add(newUserId(localId));
    if (account.disabled === true) return leaveOut('disabled', 'A conta está desativada.');
    const said = findAddress(account);
    if (said === undefined) return leaveOut('email', reasonWithoutEmail(account));
    const address = email.safeParse(typeof said === 'string' ? said.trim() : said);
    if (!address.success) return refuse('email', 'Este e-mail não é aceito.');
    const lower = address.data.toLowerCase();
    const other = emails.get(lower);
    if (other !== undefined)
      return refuse('email', `A conta ${other} tem o mesmo e-mail, talvez com outras maiúsculas.`);
    emails.set(lower, localId);
    if (said !== account.email) report.change(id, 'email', 'O e-mail veio da conta do Google ou de outra.');
    if (typeof said === 'string' && said !== said.trim())
      report.change(id, 'email', 'Os espaços em volta do e-mail foram tirados.');
    const time =
      typeof createdAt === 'string' || typeof createdAt === 'number' ? epochMs(createdAt) : undefined;
    if (typeof time !== 'number' || !(time >= 0 && time <= lastEpochMs))
      return refuse('createdAt', 'A conta não diz quando foi criada.');
    return [{ oldId: localId, account, email: lower, createdAt: time }];
  });
}

/** Returns the email address of an account, or of one with which the user signs in, for example at Google. */
function findAddress({ email, providerUserInfo }: OldAccount): unknown {
  if (email !== undefined && email !== '') return email;
  const providers = Array.isArray(providerUserInfo) ? providerUserInfo.filter(isRecord) : [];
  return providers.map((one) => one.email).find((one) => typeof one === 'string' && one.trim() !== '');
}

function reasonWithoutEmail({ providerUserInfo, phoneNumber }: OldAccount): string {
  const isAnonymous = (!Array.isArray(providerUserInfo) || providerUserInfo.length === 0) && !phoneNumber;
  return isAnonymous ? 'A conta é anônima.' : 'A conta não tem e-mail.';
}

/**
 * Converts a password hash. Removes the signer key from it, so that no secret of the old project is stored.
 * @returns null if the account has no password
 */
function convertPassword(
  { oldId, account }: Known,
  { signerKey, saltSeparator, costLog2, rounds }: HashConfig,
  report: Report,
): string | null {
  if (account.passwordHash === undefined || account.passwordHash === '') return null;
  const hash = base64(account.passwordHash);
  const salt = account.salt === undefined || account.salt === '' ? Buffer.alloc(0) : base64(account.salt);
  const salted = salt && Buffer.concat([salt, saltSeparator]);
  if (
    hash?.length !== firebaseKeyBytes ||
    !salted ||
    salted.length === 0 ||
    salted.length > firebaseLimits.saltBytes
  ) {
    report.reject(
      `accounts/${oldId}`,
      'passwordHash',
      'A senha não tem o formato do Firebase. A conta ficaria sem senha.',
    );
    return null;
  }
  const keystream = Buffer.from(hash.map((byte, index) => byte ^ (signerKey[index] ?? 0)));
  return writeFirebaseHash({ costLog2, rounds, salt: salted, keystream });
}

function findGoogleId({ oldId, account }: Known, taken: Set<string>, report: Report): string | null {
  const providers = Array.isArray(account.providerUserInfo) ? account.providerUserInfo.filter(isRecord) : [];
  const google = providers.find(({ providerId }) => providerId === 'google.com');
  if (!google) return null;
  const { rawId } = google;
  const refuse = (reason: string) => {
    report.reject(
      `accounts/${oldId}`,
      'providerUserInfo.rawId',
      `${reason} A conta ficaria sem a entrada com o Google.`,
    );
    return null;
  };
  if (typeof rawId !== 'string' || !/^[\x21-\x7e]+$/.test(rawId) || rawId.length > mostGoogleIdCharacters)
    return refuse('Não é uma identificação do Google.');
  if (taken.has(rawId)) return refuse('Outra conta já usa esta conta do Google.');
  taken.add(rawId);
  return rawId;
}

/** Reports what this site cannot take over from an account. */
function listLeftOut({ oldId, account }: Known, hasSignIn: boolean, report: Report): void {
  const id = `accounts/${oldId}`;
  if (Array.isArray(account.mfaInfo) && account.mfaInfo.length > 0)
    report.leaveOut(id, 'mfaInfo', 'A verificação em duas etapas precisa ser ligada de novo.');
  if (account.customAttributes !== undefined)
    report.leaveOut(id, 'customAttributes', 'Permissões do Firebase não valem aqui.');
  if (!hasSignIn)
    report.leaveOut(
      id,
      'passwordHash',
      'A conta não tem senha nem Google: a pessoa entra com “Esqueceu a senha?”.',
    );
}

/** Converts the document `users/{uid}`. If there is none, uses the data of the account. */
function convertRecord(
  { oldId, account, email, createdAt }: Known,
  id: string,
  document: Record<string, Plain> | undefined,
  { report, rewriting }: Tools,
): Omit<ImportedUser, 'nameFromGoogle'> {
  const where = `users/${oldId}`;
  const fields = document ?? {};
  const flag = (name: 'staff' | 'research') => {
    const value = fields[name] ?? false;
    if (typeof value === 'boolean') return value;
    report.reject(where, name, 'Aqui só cabe sim ou não (true ou false).');
    return false;
  };
  const [mailbox = ''] = email.split('@');
  const said = [fields.displayName, account.displayName].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  const name = ownUserPatch.shape.displayName.safeParse(said ?? mailbox);
  if (!name.success)
    report.reject(
      where,
      'displayName',
      `${name.error.issues[0]?.message} A conta ficaria com o início do e-mail.`,
    );
  const category = adminUserPatch.shape.category.safeParse(fields.category ?? null);
  if (!category.success)
    report.reject(where, 'category', `${category.error.issues[0]?.message} A conta ficaria sem categoria.`);
  if (fields.member === 'admin') report.saidToBeAdmin.push({ id: oldId, email });
  for (const field of Object.keys(fields))
    if (!recordFields.includes(field)) report.leaveOut(where, field, 'Uma conta não tem este campo.');
  return {
    ...{ id, email, createdAt, emailVerified: account.emailVerified === true },
    displayName: name.data ?? mailbox,
    profilePic: convertPicture(document ? fields.profilePic : account.photoUrl, id, where, {
      report,
      rewriting,
    }),
    // On the old site, users could write this field themselves, so it never makes a user an admin.
    member: fields.member ? 'member' : 'no',
    staff: flag('staff'),
    research: flag('research'),
    category: category.data ?? null,
  };
}

const recordFields = ['id', 'displayName', 'email', 'research', 'member', 'staff', 'profilePic', 'category'];

function convertPicture(
  value: unknown,
  uid: string,
  id: string,
  { report, rewriting }: Tools,
): string | null {
  if (value === undefined || value === null || value === false || value === '') return null;
  const where = { id, field: 'profilePic' };
  const next = typeof value === 'string' ? rewriting.field(value, { of: 'profile', uid }, where) : value;
  if (next === undefined) return null;
  const picture = ownUserPatch.shape.profilePic.safeParse(next);
  if (picture.success) return picture.data || null;
  report.reject(id, 'profilePic', `${picture.error.issues[0]?.message} A conta ficaria sem foto.`);
  return null;
}

/**
 * Converts the URLs of files in a text of a mood record. A text that is only a URL becomes a path, which
 * stays right when the site gets another URL.
 */
function moodText(text: string, where: Where, { uid, rewriting }: { uid: string; rewriting: Rewriting }) {
  const place = { of: 'mood', uid } as const;
  if (!isOneAddress(text)) return rewriting.text(text, place, where);
  return rewriting.field(text, place, where) ?? text;
}

/** Converts the documents `wordMood/{uid}`, and replaces the ids in them that the import has changed. */
export function convertMoods(
  documents: Documents,
  { newIds, renamed }: { newIds: Map<string, string>; renamed: Map<string, string> },
  { report, rewriting }: Tools,
): Plan['moods'] {
  return [...documents].flatMap(([oldId, fields]) => {
    const id = `wordMood/${oldId}`;
    const uid = newIds.get(oldId);
    if (uid === undefined) {
      report.leaveOut(id, '', 'Nenhuma conta importada tem esta identificação.');
      return [];
    }
    const convert = (value: Plain, field: string): Plain => {
      if (typeof value === 'string')
        return renamed.get(value) ?? moodText(value, { id, field }, { uid, rewriting });
      if (Array.isArray(value)) return value.map((one, index) => convert(one, `${field}.${index}`));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, convert(one, `${field}.${key}`)]),
      );
    };
    const record = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, convert(value, key)]),
    );
    if (moodRecord.safeParse(record).success) return [{ uid, record }];
    report.reject(id, '', 'O registro não tem o formato esperado.');
    return [];
  });
}
