import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Email } from 'postal-mime';
import { type AppCheckHeaders, createAppCheck } from '#client/app-check.ts';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { createSend } from '#client/http.ts';
import type { StoredMember } from '#contract/user.ts';
import { buildApp, type ServiceName } from '../app.ts';
import { createScrypt } from '../auth/passwords/scrypt.ts';
import { connect, type Database, type DatabaseKind } from '../database/connect.ts';
import { rememberData } from '../database/installation/data-folder.ts';
import { createVersionReader } from '../database/versions.ts';
import { masterKeyOf } from '../diary/keys/master-key.ts';
import { type Environment, readEnvironment } from '../environment.ts';
import { openDailyFile } from '../http/daily-file.ts';
import { openUsageRecords } from '../http/usage-records.ts';
import { createMailer } from '../mail/mailer.ts';
import { createContentSource } from '../site/content.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { createTestDatabase } from './databases.ts';
import { mailsIn } from './peers/mailbox.ts';
import { solveChallengeSync } from './solve-challenge.ts';

/** The real app on a free port of the loopback interface, with its own database. */
export type TestServer = {
  app: FastifyInstance;
  database: Database;
  /** Signs cookies and tokens. */
  authSecret: string;
  kind: DatabaseKind;
  dataDir: string;
  /** Undefined for SQLite, whose file is in the data folder. */
  databaseUrl: string | undefined;
  url: string;
  /** The public origin that the server expects. */
  origin: string;
  /** Waits for the work that follows responses, then returns the mails in the outbox, oldest first. */
  mails(): Promise<Email[]>;
  /** Starts a second instance on the same database. */
  twin(): Promise<{ url: string }>;
  /** A visitor without an account. */
  visitor: TestUser;
  /** Signs up a new user, and gives the user this role. */
  join(
    member?: StoredMember,
    displayName?: string,
  ): Promise<TestUser & { uid: string; email: string; password: string }>;
};

/** A user or visitor: a client of the client library, and a plain `fetch` with the same cookies. */
export type TestUser = {
  client: Client;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the app-check header for one call. */
  appCheck: AppCheckHeaders;
};

export const origin = 'http://localhost:3000';

/** The environment variables of a site with a public URL, behind a proxy. */
export const publishedSite = { PUBLIC_URL: 'https://clinica.exemplo.com.br', TRUSTED_PROXIES: 'loopback' };

const authSecret = 'a secret of the tests, long enough';
const diaryKey = 'a diary key of the tests, long enough';
/** Hashes a password in 3 ms instead of 85. Tests of the time that hashing takes set a higher cost. */
const lowCostScrypt = createScrypt({ cost: 512 });
let userCount = 0;

export async function startTestServer(
  t: TestContext,
  kind: DatabaseKind,
  options: { services?: ServiceName[]; environment?: Record<string, string>; passwordCost?: number } = {},
): Promise<TestServer> {
  const { dataDir, databaseUrl, remove } = await createTestDatabase(kind);
  const scrypt =
    options.passwordCost === undefined ? lowCostScrypt : createScrypt({ cost: options.passwordCost });
  // Commands that work on the same data folder need the secret.
  if (kind === 'sqlite') await writeFile(path.join(dataDir, 'auth-secret'), authSecret, { mode: 0o600 });
  await writeFile(path.join(dataDir, 'diary-key'), diaryKey, { mode: 0o600 });
  const closers: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of closers) await close();
    if (scrypt !== lowCostScrypt) await scrypt.end();
    await remove();
  });
  const environment: Environment = {
    ...readEnvironment({
      PUBLIC_URL: origin,
      LOG_LEVEL: 'silent',
      APP_CHECK_COST: '1',
      ...options.environment,
    }),
    dataDir,
    databaseUrl,
  };
  const listen = async () => {
    const database = connect(environment, { isServer: true });
    const readVersions = createVersionReader(database);
    const siteContent = createContentSource(database, readVersions);
    const clinicName = async () => (await siteContent.read()).content.identity.shortName;
    const usageRecords = await openUsageRecords(path.join(dataDir, 'usage-records'));
    const securityEvents = await openDailyFile(path.join(dataDir, 'security-events'), 'eventos');
    const app = await buildApp(
      {
        environment,
        database,
        databaseKind: kind,
        mailer: createMailer(environment, clinicName),
        fileStore: await openFileStore(environment),
        usageRecords,
        securityEvents,
        authSecret,
        diaryMasterKey: masterKeyOf(diaryKey),
        scrypt,
        clinicName,
        readVersions,
        siteContent,
        requireSameData: rememberData(dataDir, kind === 'sqlite'),
      },
      options.services ?? ['auth', 'documents', 'storage'],
    );
    closers.push(async () => {
      await app.close();
      await usageRecords.close();
      await securityEvents.close();
      await database.destroy();
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return { app, database, url: `http://127.0.0.1:${port}` };
  };
  const { app, database, url } = await listen();
  const newVisitor = () => visitorAt(url, environment.publicUrl);

  return {
    app,
    database,
    authSecret,
    kind,
    dataDir,
    databaseUrl,
    url,
    origin: environment.publicUrl,
    async mails() {
      await app.afterResponse.idle();
      return mailsIn(dataDir);
    },
    twin: listen,
    visitor: newVisitor(),
    async join(member = 'no', displayName = 'Ana Lúcia') {
      userCount += 1;
      const visitor = newVisitor();
      const email = `pessoa${userCount}@exemplo.com.br`;
      const password = 'senha12345';
      const { user } = await visitor.client.auth.signUp({ displayName, email, password });
      if (member !== 'no') {
        await database.updateTable('users').set({ member }).where('id', '=', user.uid).execute();
      }
      return { ...visitor, uid: user.uid, email, password };
    },
  };
}

/**
 * Creates a visitor of the server at `url`, with separate cookies.
 * @param address the visitor's IP address, for a server that trusts the loopback interface as a proxy
 */
export function visitorAt(url: string, publicUrl: string = origin, address?: string): TestUser {
  const withCookies = createCookieFetch(publicUrl);
  const cookieFetch: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (address !== undefined) headers.set('x-forwarded-for', address);
    return withCookies(input, { ...init, headers });
  };
  return {
    client: createClient({
      ...{ auth: url, documents: url, storage: url, fetch: cookieFetch },
      solve: solveChallengeSync,
    }),
    fetch: (path, init) => cookieFetch(url + path, init),
    appCheck: createAppCheck(createSend(url, cookieFetch), solveChallengeSync),
  };
}

export async function listAdminIds(database: Database): Promise<string[]> {
  const admins = await database.selectFrom('users').select('id').where('member', '=', 'admin').execute();
  return admins.map(({ id }) => id);
}
