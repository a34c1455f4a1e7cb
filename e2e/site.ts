import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';

/** A server process on a new data folder, started like `npm start`. */
export type Site = Pick<ServerProcess, 'url' | 'firstAdminPath' | 'stop'> & {
  /** Waits for a mail with a link to `path` and returns the newest link. */
  mailedLink: (path: string) => Promise<string>;
  /** Kills the server, like a power cut. */
  kill: () => Promise<void>;
  /** Restarts the server with the same URL and data. */
  startAgain: () => Promise<void>;
};

/** @throws Error with the server's output when it does not become ready */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-site-'));
  let server = await startServerProcess(dataDir, environment);
  return {
    url: server.url,
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

/** A user; `client` is signed in as that user. */
export type TestUser = { name: string; email: string; password: string; uid: string; client: Client };
export type TestUsers = { patient: TestUser; member: TestUser; admin: TestUser };

/** One user per role, created by sign-up. */
export async function createUsers(site: Site): Promise<TestUsers> {
  const admin = await register(site, 'Alice Admin');
  await admin.client.auth.becomeFirstAdmin(site.firstAdminPath().split('#')[1] ?? '');
  const patient = await register(site, 'Pedro Paciente');
  const member = await register(site, 'Marta Membro');
  await admin.client.documents.updateUser(member.uid, { member: true });
  return { patient, member, admin };
}

/** Creates a user by sign-up. */
export async function register(site: Site, name: string): Promise<TestUser> {
  const client = createClient({ auth: site.url, documents: site.url, fetch: createCookieFetch(site.url) });
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const email = `${plain.replace(' ', '.')}@example.com`;
  const password = `segredo${name.length}Longo42`;
  const { user } = await client.auth.signUp({ displayName: name, email, password });
  return { name, email, password, uid: user.uid, client };
}

/** Creates another admin: the user signs up, then the first admin changes the role. */
export async function registerAdmin(site: Site, { admin }: TestUsers, name: string): Promise<TestUser> {
  const user = await register(site, name);
  await admin.client.documents.updateUser(user.uid, { member: 'admin' });
  return user;
}

/** Creates the activities of the demo, in their order. */
export async function fillLibrary({ client }: TestUser) {
  for (const activity of demoLibrary) await client.documents.createActivity(activity);
}
