import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import type { Member } from '#contract/user.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';

/** A server process with a new data folder, started like `npm start`. */
export type Site = Pick<ServerProcess, 'url' | 'firstAdminPath' | 'stop'> & {
  dataDir: string;
  /** Waits for a mail with a link to `path` and returns the newest link. */
  mailedLink: (path: string) => Promise<string>;
  /** Kills the server, like a power cut. */
  kill: () => Promise<void>;
  /** Restarts the server with the same URL and data. */
  startAgain: () => Promise<void>;
};

/**
 * @param environment the server's settings
 * @param data a data folder to copy; without it, the site starts empty
 * @throws Error with the server's output if the server does not become ready
 */
export async function startSite(environment: Record<string, string> = {}, data?: string): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-site-'));
  if (data) cpSync(data, dataDir, { recursive: true });
  let server = await startServerProcess(dataDir, environment);
  return {
    url: server.url,
    dataDir,
    firstAdminPath: () => server.firstAdminPath(),
    async mailedLink(path) {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const link = findMailedLink(join(dataDir, 'outbox'), server.url + path);
        if (link !== undefined) return link;
        await setTimeout(50);
      }
      throw new Error(`No mail with a link to ${path} arrived.`);
    },
    kill: () => server.kill(),
    async startAgain() {
      server = await startServerProcess(dataDir, { ...environment, PORT: server.port });
    },
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function findMailedLink(outbox: string, start: string): string | undefined {
  if (!existsSync(outbox)) return undefined;
  const newest = readdirSync(outbox).sort().at(-1);
  if (newest === undefined) return undefined;
  // Quoted-printable breaks long lines with `=` and writes `=` as `=3D`.
  const text = readFileSync(join(outbox, newest), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return text.split(/[\s"<>]/).find((word) => word.startsWith(start));
}

/**
 * A user of a test site. `client` is an API client that is signed in as this user; `cookies` has its session.
 */
export type TestUser = {
  name: string;
  email: string;
  password: string;
  uid: string;
  client: Client;
  cookies: Map<string, string>;
};
export type TestUsers = { patient: TestUser; member: TestUser; admin: TestUser };

/** The environment variable that passes the folder of `prepareUsers` to the processes that run the tests. */
const preparedFolder = 'ACOLHE_PREPARED_USERS';

/** Makes a data folder with one user of each role. `startSiteWithUsers` copies this folder. */
export async function prepareUsers(): Promise<{ remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-users-'));
  const server = await startServerProcess(join(folder, 'data'));
  const users = Object.entries(await createUsers(server));
  await server.stop();
  const kept = users.map(([role, { client, cookies, ...user }]) => [role, user, [...cookies]]);
  writeFileSync(join(folder, 'users.json'), JSON.stringify(kept));
  process.env[preparedFolder] = folder;
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a site with one user of each role. All users are signed in. */
export async function startSiteWithUsers(
  environment?: Record<string, string>,
): Promise<{ site: Site; users: TestUsers }> {
  const folder = process.env[preparedFolder] ?? '';
  const kept = JSON.parse(readFileSync(join(folder, 'users.json'), 'utf8')) as KeptUser[];
  const site = await startSite(environment, join(folder, 'data'));
  const users = kept.map(([role, user, cookies]) => [role, { ...user, ...openClient(site, cookies) }]);
  return { site, users: Object.fromEntries(users) };
}

type KeptUser = [
  role: keyof TestUsers,
  user: Omit<TestUser, 'client' | 'cookies'>,
  cookies: [name: string, value: string][],
];

/** One user per role, created by sign-up. */
async function createUsers(site: Pick<Site, 'url' | 'firstAdminPath'>): Promise<TestUsers> {
  const admin = await register(site, 'Alice Admin');
  await admin.client.auth.becomeFirstAdmin(site.firstAdminPath().split('#')[1] ?? '');
  const patient = await register(site, 'Pedro Paciente');
  const member = await register(site, 'Marta Membro');
  await admin.client.documents.updateUser(member.uid, { member: true });
  return { patient, member, admin };
}

/** Creates a user by sign-up. */
export async function register(site: Pick<Site, 'url'>, name: string): Promise<TestUser> {
  const { client, cookies } = openClient(site);
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const email = `${plain.replace(' ', '.')}@example.com`;
  const password = `segredo${name.length}Longo42`;
  const { user } = await client.auth.signUp({ displayName: name, email, password });
  return { name, email, password, uid: user.uid, client, cookies };
}

function openClient({ url }: Pick<Site, 'url'>, kept: [name: string, value: string][] = []) {
  const cookies = new Map(kept);
  const client = createClient({ auth: url, documents: url, fetch: createCookieFetch(url, cookies) });
  return { client, cookies };
}

/** Creates another admin or an editor: the user signs up, then the first admin changes the role. */
export async function registerAdmin(
  site: Site,
  { admin }: TestUsers,
  name: string,
  member: Member = 'admin',
): Promise<TestUser> {
  const user = await register(site, name);
  await admin.client.documents.updateUser(user.uid, { member });
  return user;
}

/** Creates the activities of the demo, in their order. */
export async function fillLibrary({ client }: TestUser) {
  for (const activity of demoLibrary) await client.documents.createActivity(activity);
}

/** A row of the totals of practices. */
export type Totals = [id: string, month: string, opened: number, played: number, finished: number];

export function writeTotals({ dataDir }: { dataDir: string }, ...rows: Totals[]) {
  const database = new DatabaseSync(join(dataDir, 'acolhe.sqlite'), { timeout: 5_000 });
  const insert = database.prepare(
    'insert into "practiceTotals" ("activityId", month, opened, played, finished) values (?, ?, ?, ?, ?)',
  );
  for (const row of rows) insert.run(...row);
  database.close();
}

/** Adds a confirmed subscriber of the newsletter. */
export function addSubscriber({ dataDir }: Pick<Site, 'dataDir'>, email: string) {
  const database = new DatabaseSync(join(dataDir, 'acolhe.sqlite'), { timeout: 5_000 });
  database
    .prepare(
      'insert into "newsletterSubscribers" (id, email, "consentedAt", "confirmedAt", "mailedAt") values (?, ?, 1, 2, 1)',
    )
    .run(email.replaceAll(/\W/g, '-'), email);
  database.close();
}

/** Returns the month in Brasília, such as `2026-11`. */
export const currentMonth = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format().slice(0, 7);
