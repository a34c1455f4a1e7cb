import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate } from '../testing/peers/certificate.ts';
import { startTestServer } from '../testing/server.ts';

const run = promisify(execFile);

test("MDN's HTTP Observatory gives the published site an A+", async (t) => {
  const front = await startFront(t);
  const environment = { PUBLIC_URL: `https://localhost:${front.port}`, TRUSTED_PROXIES: '127.0.0.1' };
  const server = await startTestServer(t, 'sqlite', {
    services: ['auth', 'documents', 'storage', 'site'],
    environment,
  });
  front.leadsTo(server.url);
  for (const page of ['', '/practices', '/login']) {
    const { scan, tests } = await observe(`localhost:${front.port}${page}`, front.certificate);
    const failed = Object.entries(tests).filter(([, { pass }]) => !pass);
    assert.deepEqual(failed, [], page);
    assert.equal(scan.grade, 'A+', page);
  }
});

type Report = { scan: { grade: string }; tests: Record<string, { pass: boolean; result: string }> };

/** Runs MDN's HTTP Observatory in a separate process, which trusts `certificate`. */
async function observe(host: string, certificate: string): Promise<Report> {
  const entry = import.meta.resolve('@mdn/mdn-http-observatory');
  // If the package's install script has not run, the browsers' HSTS preload list is missing. An empty list is
  // enough, because it contains no site of this test anyway.
  const known = new URL('../conf/hsts-preload.json', entry);
  if (!existsSync(known)) writeFileSync(known, '{}');
  const code = `const { scan } = await import(${JSON.stringify(entry)});
    console.log(JSON.stringify(await scan(${JSON.stringify(host)})));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

/**
 * Simulates the TLS proxy of a published site, which also redirects HTTP to HTTPS. HTTP and HTTPS use the
 * same port, because the observatory supports only one.
 */
async function startFront(t: TestContext) {
  const certificate = await makeCertificate();
  t.after(() => certificate.remove());

  let target = '';
  const secure = createHttpsServer({ key: certificate.key, cert: certificate.cert }, (incoming, response) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' };
    const { method = 'GET', url = '/' } = incoming;
    incoming.pipe(
      request(new URL(url, target), { method, headers }, (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(response);
      }),
    );
  });
  const plain = createHttpServer((incoming, response) =>
    response.writeHead(301, { location: `https://${incoming.headers.host}${incoming.url}` }).end(),
  );
  const tlsHandshake = 0x16;
  const door = createServer((socket: Socket) => {
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === tlsHandshake ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    door.close();
    secure.closeAllConnections();
    plain.closeAllConnections();
  });
  return {
    port: (door.address() as AddressInfo).port,
    certificate: certificate.file,
    leadsTo(url: string) {
      target = url;
    },
  };
}
