import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { readHomePage } from './attack.ts';

const connections = 10_000;
const connectionsPerAddress = 1_000;
const atOnce = 100;
const measureMs = 15_000;
const mostMegabytes = 200;
const mostMs = 20;

it(`serves pages while ${connections} connections are open and idle`, async (t) => {
  const server = await startServerProcess(await temporaryFolder(t), { HOST: '127.0.0.1' });
  t.after(() => server.kill());
  const { port } = server;
  const url = `http://127.0.0.1:${port}`;
  const atRest = await readHomePage(url, setTimeout(measureMs));
  const before = residentMegabytes(server.pid);
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });

  while (sockets.length < connections)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: atOnce }, async (_, index) => {
          // Uses several IP addresses, because the server limits the connections of each.
          const from = 10 + Math.floor((sockets.length + index) / connectionsPerAddress);
          const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: `127.0.0.${from}` });
          socket.on('error', () => {});
          socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
          const [response] = (await once(socket, 'data')) as [Buffer];
          assert.match(response.toString(), /^HTTP\/1\.1 200 /);
          return socket;
        }),
      )),
    );
  const during = await readHomePage(url, setTimeout(measureMs));
  const open = sockets.filter((socket) => !socket.closed && !socket.readableEnded).length;
  const growth = residentMegabytes(server.pid) - before;

  report(
    `${connections} idle connections, p99 of the home page`,
    `${atRest.toFixed(2)} → ${during.toFixed(2)} ms`,
    `${mostMs} ms`,
  );
  report(`${connections} idle connections, memory`, `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(open > connections * 0.9, `${open} were open at the end`);
  assert.ok(during < mostMs, `${during} ms`);
  assert.ok(growth < mostMegabytes, `${growth} MB`);
});
