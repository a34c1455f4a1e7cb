import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { startTestServer } from '../testing/server.ts';

const writes = 60;

it(`a read that arrives after ${writes} writes is answered before most of them`, async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ email: 'ninguem@exemplo.com.br', password: 'senha12345' });
  const write = [
    `POST ${paths.auth.signIn} HTTP/1.1`,
    `host: ${hostname}`,
    `origin: ${server.origin}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
  const read = `GET ${paths.documents.activities('mindActsList')} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: writes + 1 }, async () => {
      const socket = connect(Number(port), hostname);
      t.after(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    }),
  );
  const reader = sockets.at(-1);
  // The list is in memory after its first read.
  await server.visitor.fetch(paths.documents.activities('mindActsList'));

  let answeredWrites = 0;
  let before: number | undefined;
  const answers = sockets.map(async (socket) => {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (socket !== reader) {
      answeredWrites += 1;
      return;
    }
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    before = answeredWrites;
  });
  for (const socket of sockets) socket.write(socket === reader ? read : write);
  await Promise.all(answers);
  assert.equal(answeredWrites, writes);
  assert.ok(before !== undefined && before < writes / 4, `${before} writes were answered before it`);
});
