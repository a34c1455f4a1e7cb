import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { report } from '#hard/figures.ts';
import { visitorAt } from '#server/testing/server.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts';

const mostConnections = 2_000;

describe('HAProxy in front of an instance', () => {
  let balancer: LoadBalancer;
  let server: ServerProcess;
  let dataDir: string;

  before(async () => {
    balancer = await startLoadBalancer();
    dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-front-'));
    server = await startServerProcess(dataDir, {
      ...{ HOST: '127.0.0.1', PORT: String(balancer.ports[0]) },
      ...{ PUBLIC_URL: balancer.url, TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'info' },
    });
    while (await isDown(balancer, 'ready', 'a')) await wait(50);
  });
  after(async () => {
    await balancer?.stop();
    await server?.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("tells the instance the client's IP address, whatever headers the client sends", async () => {
    const { auth } = visitorAt(balancer.url, balancer.url).client;
    const email = 'ana@exemplo.com.br';
    await auth.signUp({ displayName: 'Ana', email, password: 'senha12345' });
    const signIn = (from: string, index: number) =>
      send(balancer.url + paths.auth.signIn, from, {
        'x-forwarded-for': `203.0.113.${index}`,
        forwarded: `for=203.0.113.${index}`,
        'x-forwarded-host': 'outra.exemplo.com.br',
      });
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push(await signIn('127.0.0.2', index));
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
    assert.equal(await signIn('127.0.0.3', 0), 401, 'another IP address has its own count');
    assert.match(server.log(), /"ip":"127\.0\.0\.2"/);
    assert.doesNotMatch(server.log(), /203\.0\.113/);
  });

  it('does not show its statistics over HTTP', async () => {
    for (const where of ['/haproxy?stats', '/stats', '/admin?stats']) {
      const response = await fetch(balancer.url + where);
      assert.doesNotMatch(await response.text(), /Statistics Report|pid = /);
    }
    assert.equal(statSync(balancer.socket).mode & 0o777, 0o600);
  });

  it('closes a connection whose headers are not complete in time', async () => {
    const socket = connect(Number(new URL(balancer.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const begun = performance.now();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const slowly = setInterval(() => socket.write('X-A: b\r\n'), 500);
    socket.on('error', () => {}).resume();
    await once(socket, 'close');
    clearInterval(slowly);
    const seconds = (performance.now() - begun) / 1_000;
    report('slow headers at HAProxy, closed after', `${seconds.toFixed(1)} s`, '12 s');
    assert.ok(seconds < 12, `${seconds}`);
  });

  it(`refuses more than ${mostConnections} connections of one IP address, and serves others`, async () => {
    const port = Number(new URL(balancer.url).port);
    const open: Socket[] = [];
    let closed = 0;
    for (let count = 0; count < mostConnections + 50; count += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
      socket
        .on('error', () => {})
        .once('close', () => {
          closed += 1;
        });
      open.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    }
    try {
      while (closed < 50) await wait(20);
      assert.equal((await fetch(`${balancer.url}/about`)).status, 200);
    } finally {
      for (const socket of open) socket.destroy();
    }
  });

  it('says in Portuguese that the site is unavailable, and logs neither path nor query', async () => {
    await server.kill();
    const response = await fetch(`${balancer.url}/practices/segredo?token=segredo`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '5');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.match(await response.text(), /^<!doctype html><html lang="pt-BR">.*Voltamos já/);
    while (!/GET .* 503 /.test(balancer.log())) await wait(20);
    assert.doesNotMatch(balancer.log(), /segredo|practices/);
  });
});

/** Signs in with a wrong password from a loopback IP address. @returns the status */
async function send(url: string, localAddress: string, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ email: 'ana@exemplo.com.br', password: 'errada123' });
  const sent = request(url, {
    ...{ method: 'POST', localAddress, family: 4 },
    headers: { ...headers, 'content-type': 'application/json', origin: new URL(url).origin },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

async function isDown({ states }: LoadBalancer, backend: string, server: string): Promise<boolean> {
  const found = (await states()).find((one) => one.backend === backend && one.server === server);
  return found?.state !== 'UP';
}
