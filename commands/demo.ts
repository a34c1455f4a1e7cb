/**
 * `npm run demo`: starts the site with a sample library and three accounts, on temporary data.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoLibrary } from '#clinic/demo-library.ts';
import { activityInput } from '#contract/activity.ts';
import type { Member } from '#contract/user.ts';
import { createAuth } from '#server/auth/auth.ts';
import type { AppContext } from '#server/context.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { parse } from '#server/http/parse.ts';
import { createActivity } from '#server/library/activities.ts';
import { openContext, startServer } from '#server/start.ts';
import { updateUser } from '#server/users/users.ts';

const accounts: { displayName: string; email: string; member: Member }[] = [
  { displayName: 'Paciente Exemplo', email: 'paciente@exemplo.com.br', member: false },
  { displayName: 'Membro Exemplo', email: 'membro@exemplo.com.br', member: true },
  { displayName: 'Admin Exemplo', email: 'admin@exemplo.com.br', member: 'admin' },
];

const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-demo-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));

try {
  const environment = { ...readEnvironment(), dataDir, databaseUrl: undefined, smtpUrl: undefined };
  const context = await openContext(environment);
  const passwords = await createAccounts(context);
  for (const input of demoLibrary) await createActivity(context.database, parse(activityInput, input), null);
  await context.database.destroy();

  const server = await startServer(environment);
  console.log(
    `\nDemonstração com ${demoLibrary.length} práticas. Os dados somem quando ela termina (Ctrl+C).`,
  );
  for (const [index, { email, displayName }] of accounts.entries())
    console.log(`  ${displayName.padEnd(18)}${email.padEnd(26)}senha ${passwords[index]}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function createAccounts(context: AppContext): Promise<string[]> {
  const auth = createAuth(context);
  const passwords = accounts.map(makePassword);
  for (const [index, { displayName, email, member }] of accounts.entries()) {
    const input = { displayName, email, password: passwords[index] ?? '' };
    const { result } = await auth.signUp(input, new Headers());
    const change = { uid: result.uid, tag: undefined, patch: { member } };
    await updateUser(context.database, context.databaseKind, change);
  }
  return passwords;
}

/** Uses only letters and digits that look different from one another. */
function makePassword(): string {
  const characters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from({ length: 10 }, () => characters[randomInt(characters.length)]).join('');
}
