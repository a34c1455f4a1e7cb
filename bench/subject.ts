import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
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

/** The cookies of the admin, as pairs of name and value. */
export function cookiesOf({ cookie }: Subject): [name: string, value: string][] {
  return cookie.split('; ').map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')];
  });
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: admin.email, password: admin.password }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The admin cannot sign in: ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** Starts bare node:http, which sends the bytes that `url` returns for the same request. */
export async function startBaseline(url?: string, headers: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-baseline-'));
  const file = path.join(folder, 'response.json');
  const response = url ? await responseOf(url, headers) : { status: 200, headers: {}, body: '' };
  await writeFile(file, JSON.stringify(response));
  const program = await startBaselineProgram('http-bytes.ts', file);
  return {
    ...program,
    async stop() {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
export async function startBaselineProgram(name: string, argument: string) {
  const { line: url, ...program } = await startProgram(`baselines/${name}`, argument);
  return { url, ...program };
}

/** Returns the response with its compressed body, which `fetch` would decompress. */
async function responseOf(url: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const asked = request(url, { headers }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => {
      raw.status = response.statusCode ?? 0;
      // Node sets these headers itself.
      const { date: _, connection: __, 'keep-alive': ___, ...kept } = response.headers;
      raw.headers = kept as Record<string, string>;
      resolve(Buffer.concat(parts));
    });
  });
  const raw: { status: number; headers: Record<string, string>; body: string } = {
    status: 0,
    headers: {},
    body: '',
  };
  asked.once('error', reject).end();
  raw.body = (await promise).toString('base64');
  return raw;
}

/**
 * Measures requests per second under load, and the processor time of process `pid` per request. On a shared
 * machine, the processor time varies less than the requests per second.
 * @throws Error when a request fails, or when more than `connections` responses have another status
 */
export async function load(
  url: string,
  {
    seconds,
    connections = 32,
    method = 'GET',
    headers = {},
    body,
    status = 200,
    pid,
  }: {
    pid?: number;
    seconds: number;
    connections?: number;
    method?: 'GET' | 'POST';
    body?: string;
    headers?: Record<string, string>;
    status?: number;
  },
): Promise<{ perSecond: number; cpuMicros: number }> {
  const before = pid ? await cpuMicros(pid) : 0;
  const result = await autocannon({
    ...{ url, connections, duration: seconds, method, headers },
    ...(body !== undefined && { body }),
  });
  const expected = result.statusCodeStats?.[String(status) as '200']?.count ?? 0;
  const other = result.requests.total - expected;
  // At the end, each connection can have an open request. autocannon counts it neither as an error nor as a
  // response.
  if (result.errors + result.timeouts > 0 || other > connections)
    throw new Error(`${url}: ${result.errors} errors, ${other} responses other than ${status}.`);
  return {
    perSecond: result.requests.total / result.duration,
    cpuMicros: pid ? ((await cpuMicros(pid)) - before) / result.requests.total : Number.NaN,
  };
}

/** Sends one request after another on one connection. `ms` is the time until the response is complete. */
export function createCaller(base: string, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async call(
      method: string,
      where: string,
      {
        body,
        headers: more = {},
        status = 200,
      }: { body?: string; headers?: Record<string, string>; status?: number } = {},
    ): Promise<{ ms: number; text: string; etag: string }> {
      const { promise, resolve, reject } = Promise.withResolvers<{
        ms: number;
        text: string;
        etag: string;
      }>();
      const started = performance.now();
      const sent = request(
        base + where,
        {
          method,
          agent,
          headers: {
            ...headers,
            origin: base,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            }),
            ...more,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => {
            const ms = performance.now() - started;
            if (response.statusCode === status) resolve({ ms, text, etag: response.headers.etag ?? '' });
            else
              reject(new Error(`${method} ${where} returned ${response.statusCode}: ${text.slice(0, 200)}`));
          });
        },
      );
      sent.once('error', reject).end(body);
      return promise;
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

/** Resident memory of a process, in MiB. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
