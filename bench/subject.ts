import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { paths } from '#contract/paths.ts';
import { connect, type Database, migrate } from '#server/database/connect.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

/** The product as it runs in production, with an admin signed in. */
export type Subject = {
  url: string;
  pid: number;
  dataDir: string;
  /** The `cookie` header of the admin. */
  cookie: string;
  stop(): Promise<void>;
};

/** The admin of `startSubject`. */
export const admin = {
  displayName: 'Alice Admin',
  email: 'alice.admin@exemplo.com.br',
  password: 'calmaria2025x',
};

/**
 * Starts the product, by default on a new data folder, which `stop` deletes.
 * @param fill fills the database before the start
 * @param place a data folder to use and keep, a PostgreSQL database, or more environment variables
 */
export async function startSubject(
  fill: (database: Database) => Promise<void> = async () => {},
  place: { dataDir?: string; databaseUrl?: string | undefined; environment?: Record<string, string> } = {},
): Promise<Subject> {
  const dataDir = place.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'acolhe-bench-')));
  const database = connect({ dataDir, databaseUrl: place.databaseUrl });
  await migrate(database);
  await fill(database);
  const server = await startServerProcess(dataDir, {
    LOG_LEVEL: 'info',
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...place.environment,
  });
  // In a reused folder the account exists already.
  await visitorAt(server.url, server.url)
    .client.auth.signUp(admin)
    .catch(() => {});
  await database.updateTable('users').set({ member: 'admin' }).where('email', '=', admin.email).execute();
  await database.destroy();
  return {
    url: server.url,
    pid: server.pid,
    dataDir,
    cookie: await signIn(server.url),
    async stop() {
      await server.kill();
      if (!place.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the product and stops it normally. Only then does Node save the compiled code of modules that load
 * after the start. The servers of the benchmarks are killed and would compile this code anew each time.
 */
export async function saveCompiledCode(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
  try {
    const server = await startServerProcess(dataDir);
    await visitorAt(server.url, server.url).client.auth.signUp(admin);
    const page = await fetch(server.url);
    await page.arrayBuffer();
    await server.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Starts several instances of the product on PostgreSQL and S3, with the admin of `startSubject`.
 * @param fill fills the database before the start
 */
export async function startInstances(count: number, fill?: (database: Database) => Promise<void>) {
  const undo: (() => Promise<unknown>)[] = [];
  const postgres = await startPostgres({ durable: true });
  undo.push(postgres.stop);
  const s3 = await startSwift();
  undo.push(s3.remove);
  const place = { databaseUrl: postgres.url, environment: s3Environment(s3) };
  const instances: Subject[] = [];
  while (instances.length < count) {
    const instance = await startSubject(instances.length === 0 ? fill : undefined, place);
    undo.push(instance.stop);
    instances.push(instance);
  }
  return {
    instances,
    postgres,
    async stop() {
      for (const step of undo.reverse()) await step();
    },
  };
}

/** A user's session: the product's URL, and the `cookie` header. */
export type Session = Pick<Subject, 'url' | 'cookie'>;

/** The cookies of a user, as pairs of name and value. */
export function cookiesOf({ cookie }: Session): [name: string, value: string][] {
  return cookie.split('; ').map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')];
  });
}

/** A client library in which the user is signed in. */
export function clientOf(session: Session): Client {
  const { url } = session;
  const fetch = createCookieFetch(url, new Map(cookiesOf(session)));
  return createClient({ auth: url, documents: url, fetch });
}

/** @returns the `cookie` header */
export async function signIn(url: string, { email, password } = admin): Promise<string> {
  const response = await fetch(url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/**
 * Starts a program of `bench/` in its own process, which is killed when ours exits. The program is ready when
 * it prints its first line.
 */
export async function startProgram(name: string, ...options: string[]) {
  const program = spawn(process.execPath, [path.resolve(import.meta.dirname, name), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithUs = () => program.kill('SIGKILL');
  process.once('exit', killWithUs);
  const [line] = (await Promise.race([
    once(createInterface(program.stdout), 'line'),
    once(program, 'exit').then(() => Promise.reject(new Error(`${name} ended before it was ready.`))),
  ])) as [string];
  return {
    line,
    pid: program.pid ?? 0,
    /** @throws Error when the program has already ended, because the measurement then ran without it */
    async stop() {
      process.removeListener('exit', killWithUs);
      if (program.exitCode !== null || program.signalCode !== null)
        throw new Error(`${name} ended before it was stopped.`);
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts a program of `bench/baselines/`, which prints its URL. */
export async function startBaselineProgram(name: string, ...options: string[]) {
  const { line: url, ...program } = await startProgram(`baselines/${name}`, ...options);
  return { url, ...program };
}

/** Starts bare node:http, which sends the bytes that `url` returns for the same request. */
export const startBaseline = (url = '', headers: Record<string, string> = {}) =>
  startBaselineProgram('http-bytes.ts', url, JSON.stringify(headers));

/**
 * Sends requests with wrk, as many as the server can answer.
 * @param options `pid` is the process of the server
 * @returns requests per second, the server's processor time per request, and how much of one processor the
 * server used, in percent. On a shared machine, the processor time varies less than the requests per second.
 * @throws Error when a request fails, or when the first response has another status
 */
export async function load(
  url: string,
  {
    pid,
    seconds,
    connections = 32,
    headers = {},
    status = 200,
  }: {
    pid: number;
    seconds: number;
    connections?: number;
    headers?: Record<string, string>;
    status?: number;
  },
): Promise<{ perSecond: number; cpuMicros: number; busy: number }> {
  const [first] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage];
  first.resume();
  if (first.statusCode !== status) throw new Error(`${url} returned ${first.statusCode}.`);
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...lines, url];
  const before = await cpuMicros(pid);
  const started = performance.now();
  const { stdout } = await promisify(execFile)('wrk', options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('wrk is missing. Install it: apt-get install wrk.');
  });
  const elapsedMs = performance.now() - started;
  const used = (await cpuMicros(pid)) - before;
  const failure = /Socket errors.*|Non-2xx.*/.exec(stdout);
  if (failure) throw new Error(`${url}: ${failure[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]);
  return { perSecond, cpuMicros: used / requests, busy: used / elapsedMs / 10 };
}

/**
 * Sends one request after another on one connection. `ms` is the time until the response is complete.
 * @throws Error for a status of 400 or more
 */
export function createCaller(base: string, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async call(
      method: string,
      where: string,
      options: { body?: string; headers?: Record<string, string> } = {},
    ): Promise<{ ms: number; text: string }> {
      const { body } = options;
      const ofBody = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body ?? '') };
      const started = performance.now();
      const sent = request(base + where, {
        method,
        agent,
        headers: { ...headers, origin: base, ...(body !== undefined && ofBody), ...options.headers },
      });
      const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
      const bytes = Buffer.concat(await response.toArray());
      const ms = performance.now() - started;
      const text = bytes.toString();
      if ((response.statusCode ?? 500) >= 400)
        throw new Error(`${method} ${where} returned ${response.statusCode}: ${text.slice(0, 200)}`);
      return { ms, text };
    },
    close: () => agent.destroy(),
  };
}

/** The processor time that a process has used, in microseconds. */
export async function cpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // utime and stime of proc(5), in hundredths of a second. The name before them can contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process, in MiB: the present, or the most (`VmHWM`). */
export async function residentMegabytes(pid: number, field = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
}
