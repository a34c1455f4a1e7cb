import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';
import { startTestServer } from '../testing/server.ts';

const writes = 60;
const readList = `GET ${paths.documents.activities('mindActsList')} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

it(`a read that arrives after ${writes} writes gets its response before most of them`, async (t) => {
  const { url, origin } = await startTestServer(t, 'sqlite');
  const sockets = await connectTo(t, url, writes + 1);
  const reader = sockets.at(-1);

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
  for (const socket of sockets) socket.write(socket === reader ? readList : signIn(origin));
  await Promise.all(answers);
  assert.equal(answeredWrites, writes);
  assert.ok(before !== undefined && before < writes / 4, `${before} writes were answered before it`);
});

it('writes do not wait for ever while each turn of the event loop takes long', async (t) => {
  const { app } = await startTestServer(t, 'sqlite');
  let turns = 0;
  let over = false;
  const busyTurn = () => {
    turns += 1;
    const until = performance.now() + 10;
    while (performance.now() < until);
    if (!over) setImmediate(busyTurn);
  };
  busyTurn();
  // All arrive in one turn. Over sockets, the arrival itself would take many turns.
  const answers = Array.from({ length: writes }, () =>
    app.inject({
      method: 'POST',
      url: paths.auth.signOut,
      headers: { origin: 'https://outro.exemplo.com.br' },
    }),
  );
  for (const { statusCode } of await Promise.all(answers)) assert.equal(statusCode, 403);
  over = true;
  assert.ok(turns < writes / 2, `${writes} writes took ${turns} turns`);
});

it('a write waits while reads arrive in every turn of the event loop, but not for ever', async (t) => {
  const { app, origin } = await startTestServer(t, 'sqlite');
  let turns = 0;
  let over = false;
  const turnWithRead = () => {
    if (over) return;
    turns += 1;
    void app.inject('/healthz');
    setImmediate(turnWithRead);
  };
  turnWithRead();
  const { statusCode } = await app.inject({
    method: 'POST',
    url: paths.auth.signOut,
    headers: { origin },
  });
  over = true;
  assert.equal(statusCode, 204);
  assert.ok(turns > 6, `the write took ${turns} turns`);
  assert.ok(turns < 60, `the write took ${turns} turns`);
});

/**
 * Opens connections and waits until the server has accepted all of them. It accepts one in each event-loop
 * turn.
 */
async function connectTo(t: TestContext, url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      t.after(() => socket.destroy());
      socket.write(readList);
      await once(socket, 'data');
      return socket;
    }),
  );
}

function signIn(origin: string): string {
  const body = JSON.stringify({ email: 'ninguem@exemplo.com.br', password: 'senha12345' });
  return [
    `POST ${paths.auth.signIn} HTTP/1.1`,
    'host: localhost',
    `origin: ${origin}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
}
