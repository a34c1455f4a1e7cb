import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { findFreePort } from '#server/testing/free-port.ts';
import { publishedSite, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, sha256Of } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';

const configuration = readFileSync(path.join(import.meta.dirname, 'Caddyfile'), 'utf8');
/** The settings of deploy/acolhe.env.example. */
const behindCaddy = { ...publishedSite, HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' };

describe('Caddy in front of the server', () => {
  it('passes pages and large uploads', async (t) => {
    const server = await startServer(t);
    const { url } = await startCaddy(t, server.port);
    const visitor = visitorAt(url, publishedSite.PUBLIC_URL);
    const page = await visitor.fetch('/about');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('strict-transport-security') ?? '', /^max-age=63072000/);

    await visitor.client.auth.signUp({
      displayName: 'Ana',
      email: 'ana@exemplo.com.br',
      password: 'senha12345',
    });
    await visitor.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
    const storage = await visitor.client.storage();
    const content = mp3(40_000_000);
    const stored = await storage.upload('postAudios/mind/som', new Blob([content], { type: 'audio/mpeg' }));
    assert.equal(stored.sha256, sha256Of(content));
  });

  it('tells the server the IP address of the client, and drops the one that the client claims', async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startServer(t, dataDir);
    const { port } = await startCaddy(t, server.port);
    const claims = {
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-real-ip': '203.0.113.7',
    };
    await ask(port, '/about', { localAddress: '127.0.0.2', headers: claims });
    await server.stop();
    const folder = path.join(dataDir, 'usage-records');
    const [day = ''] = await readdir(folder);
    const [record = ''] = (await readFile(path.join(folder, day), 'utf8')).split('\n');
    assert.deepEqual(JSON.parse(record).ip, '127.0.0.2');
  });

  it('keeps a request until a restarted server listens', async (t) => {
    const port = String(await findFreePort());
    const caddy = await startCaddy(t, port);
    const waiting = ask(caddy.port, '/about');
    await startServer(t, undefined, { PORT: port });
    assert.equal((await waiting).status, 200);
  });

  it('says in Portuguese that the server is unavailable, and logs nothing about the request', async (t) => {
    const port = await findFreePort();
    const caddy = await startCaddy(t, String(port), {
      lb_try_duration: '100ms',
      // Caddy logs handled errors only at this level.
      log: '{\nlevel DEBUG',
    });
    const response = await ask(caddy.port, '/entrar/segredo?token=segredo', {
      headers: { cookie: 'segredo=1', 'user-agent': 'segredo' },
    });
    assert.equal(response.status, 502);
    assert.match(response.body, /volta em instantes.*188 \(CVV\)/);
    await until(async () => /"logger":"http.log.error/.test(caddy.log()));
    assert.match(caddy.log(), /connection refused/);
    assert.doesNotMatch(caddy.log(), /segredo|entrar/);
  });
});

async function startServer(t: TestContext, dataDir?: string, environment: Record<string, string> = {}) {
  const server = await startServerProcess(dataDir ?? (await temporaryFolder(t)), {
    ...behindCaddy,
    ...environment,
  });
  t.after(() => server.kill());
  return server;
}

/** Runs Caddy with the configuration of deploy/. */
async function startCaddy(t: TestContext, serverPort: string, values: Record<string, string> = {}) {
  const folder = await temporaryFolder(t);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let changed = configuration.replace('/var/lib/caddy/admin.sock', path.join(folder, 'admin.sock'));
  for (const [name, value] of Object.entries(values))
    changed = changed.replace(new RegExp(`${name} .*`), `${name} ${value}`);
  const file = path.join(folder, 'Caddyfile');
  await writeFile(file, changed);
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH, HOME: folder, DOMAIN: url, UPSTREAM: `127.0.0.1:${serverPort}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(async () => {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGKILL');
    await ended;
  });
  let printed = '';
  const ready = Promise.withResolvers<void>();
  createInterface(caddy.stderr).on('line', (line) => {
    printed += `${line}\n`;
    if (line.includes('serving initial configuration')) ready.resolve();
  });
  caddy.once('exit', (code) => ready.reject(new Error(`Caddy ended with ${code}:\n${printed}`)));
  await ready.promise;
  return { url, port, log: () => printed };
}

type Options = { localAddress?: string; headers?: Record<string, string> };

async function ask(port: number, target: string, options: Options = {}) {
  const sent = request({ host: '127.0.0.1', port, path: target, agent: false, ...options }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-proxy-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
