import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { startTestServer } from '../testing/server.ts';

it('a body that takes more than ten seconds is cut off, and other requests continue', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const lines = [
    `POST ${paths.auth.signIn} HTTP/1.1`,
    `host: ${hostname}`,
    `origin: ${server.origin}`,
    'content-type: application/json',
    'content-length: 10000',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
  const trickle = setInterval(() => socket.write(' '), 200);
  const started = performance.now();
  const [response] = (await once(socket, 'data')) as [Buffer];
  clearInterval(trickle);
  assert.match(response.toString(), /^HTTP\/1\.1 408 /);
  const seconds = (performance.now() - started) / 1_000;
  assert.ok(seconds > 9 && seconds < 20, `${seconds}`);
  assert.equal((await server.visitor.fetch(paths.auth.methods)).status, 200);
  socket.destroy();
});
