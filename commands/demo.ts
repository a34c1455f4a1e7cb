/**
 * `npm run demo`: starts the site of a fictitious clinic, with a sample library and three accounts, on
 * temporary data.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoContent } from '#clinic/demo-content.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import { activityInput } from '#contract/activity.ts';
import { type SectionName, sectionNames } from '#contract/site/content.ts';
import type { Member } from '#contract/user.ts';
import { createAuth } from '#server/auth/auth.ts';
import type { AppContext } from '#server/context.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { parse } from '#server/http/parse.ts';
import { createActivity } from '#server/library/activities.ts';
import { publishDraft, readDraft, saveSection } from '#server/site/drafts.ts';
import { openContext, startServer } from '#server/start.ts';
import { updateUser } from '#server/users/users.ts';

const accounts: { displayName: string; email: string; member: Member }[] = [
  { displayName: 'Paciente Exemplo', email: 'paciente@exemplo.com.br', member: false },
  { displayName: 'Membro Exemplo', email: 'membro@exemplo.com.br', member: true },
  { displayName: 'Edição Exemplo', email: 'edicao@exemplo.com.br', member: 'editor' },
  { displayName: 'Admin Exemplo', email: 'admin@exemplo.com.br', member: 'admin' },
];

const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-demo-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));

try {
  const environment = { ...readEnvironment(), dataDir, databaseUrl: undefined, smtpUrl: undefined };
  const context = await openContext(environment);
  const created = await createAccounts(context);
  await publishClinic(context, created.find(({ member }) => member === 'admin')?.uid ?? '');
  const saver = { editorId: null, origin: environment.publicUrl };
  for (const input of demoLibrary) await createActivity(context.database, parse(activityInput, input), saver);
  await context.database.destroy();

  const server = await startServer(environment);
  console.log(
    `\nDemonstração com ${demoLibrary.length} práticas. Os dados somem quando ela termina (Ctrl+C).`,
  );
  for (const { email, displayName, password } of created)
    console.log(`  ${displayName.padEnd(18)}${email.padEnd(26)}senha ${password}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function createAccounts(context: AppContext) {
  const auth = createAuth(context);
  const created = [];
  for (const account of accounts) {
    const { displayName, email, member } = account;
    const password = makePassword();
    const { result } = await auth.signUp({ displayName, email, password }, new Headers());
    const change = { uid: result.uid, tag: undefined, patch: { member, emailVerified: true as const } };
    await updateUser(context.database, context.databaseKind, change);
    created.push({ ...account, uid: result.uid, password });
  }
  return created;
}

/** Publishes the content of the fictitious clinic. */
async function publishClinic({ database }: AppContext, adminId: string): Promise<void> {
  const { sections } = await readDraft(database);
  const save = <Name extends SectionName>(section: Name) =>
    saveSection(database, {
      section,
      tag: sections.find((one) => one.section === section)?.tag ?? '',
      content: demoContent[section],
      editorId: adminId,
      byAdmin: true,
    });
  for (const section of sectionNames) await save(section);
  const { tag } = await readDraft(database);
  const note = 'A clínica da demonstração';
  await publishDraft(database, { tag, note, warningsConfirmed: false, publisherId: adminId });
}

/** Makes a password of letters and digits that are easy to tell apart. */
function makePassword(): string {
  const characters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from({ length: 10 }, () => characters[randomInt(characters.length)]).join('');
}
