import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { findFreePort } from '#server/testing/free-port.ts';

/** A server process of its own, on a fresh data folder, as `npm start` starts it. */
export type Site = {
  url: string;
  dataDir: string;
  /** What it has printed so far. */
  log: () => string;
  /** The path of the one-time link for the first admin, from the log. */
  firstAdminPath: () => string;
  /** The newest link to `path` in the mails that the server has written, once there is one. */
  mailedLink: (path: string) => Promise<string>;
  stop: () => Promise<void>;
};

/** @throws Error with the server's own words when it does not get ready */
export async function startSite(): Promise<Site> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-site-'));
  const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'server', 'main.ts')], {
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Should this process end without a word, the server ends too.
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);

  let printed = '';
  server.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const ready = Promise.withResolvers<void>();
  createInterface(server.stdout).on('line', (line) => {
    printed += `${line}\n`;
    if (line === `Acolhe no ar em ${url}`) ready.resolve();
  });
  server.once('exit', (code) => ready.reject(new Error(`The server ended with ${code}:\n${printed}`)));
  await ready.promise;

  return {
    url,
    dataDir,
    log: () => printed,
    firstAdminPath: () => /http:\S+(\/primeiro-acesso#\S+)/.exec(printed)?.[1] ?? '',
    async mailedLink(path) {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const link = findMailedLink(join(dataDir, 'outbox'), url + path);
        if (link !== undefined) return link;
        await setTimeout(50);
      }
      throw new Error(`No mail with a link to ${path} came.`);
    },
    async stop() {
      await end(server);
      process.removeListener('exit', kill);
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

async function end(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

/** A person with an account; `client` is signed in as that person. */
export type Person = { name: string; email: string; password: string; uid: string; client: Client };
export type People = { patient: Person; member: Person; admin: Person };

/** One account of each role, made the way people make them. */
export async function createPeople(site: Site): Promise<People> {
  const admin = await register(site, 'Alice Admin');
  await admin.client.auth.becomeFirstAdmin(site.firstAdminPath().split('#')[1] ?? '');
  const patient = await register(site, 'Pedro Paciente');
  const member = await register(site, 'Marta Membro');
  await admin.client.documents.updateUser(member.uid, { member: true });
  return { patient, member, admin };
}

async function register(site: Site, name: string): Promise<Person> {
  const client = createClient({ auth: site.url, documents: site.url, fetch: createCookieFetch(site.url) });
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  const password = `segredo${name.length}Longo42`;
  const { user } = await client.auth.signUp({ displayName: name, email, password });
  return { name, email, password, uid: user.uid, client };
}
