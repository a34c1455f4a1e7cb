/** Runs one attack in its own process: `node bench/attacker.ts <kind> <url> [<path of a large file>]`. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

const [kind = '', url = '', file = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const tickMs = 10;

const attacks: Record<string, () => void> = {
  // 100 requests per second. An earlier version of the server needed a quarter of a second for each.
  slashes: () => atRate(1, () => send(`/a${'/'.repeat(14_000)}b`)),
  // 1,000 requests per second, with paths of 1 kB and 15 kB.
  paths: () => atRate(10, () => send(`/${Math.random() < 0.5 ? 'x'.repeat(1_000) : 'x'.repeat(15_000)}`)),
  // Opens 1,500 connections, 100 per second. Each one requests the file but does not read the response. When
  // the server closes a connection, the attacker opens a new one.
  readers: () => {
    let opened = 0;
    const opening = setInterval(() => {
      askWithoutReading();
      opened += 1;
      if (opened === 1_500) clearInterval(opening);
    }, tickMs);
  },
};
attacks[kind]?.();
console.log('ready');

function atRate(perTick: number, act: () => void) {
  setInterval(() => {
    for (let count = 0; count < perTick; count += 1) act();
  }, tickMs);
}

function send(path: string) {
  const sent = request(url, { agent, path }, (response) => response.resume());
  sent.on('error', () => {});
  sent.end();
}

function askWithoutReading() {
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${file} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  // A socket that does not read detects a closed connection only when it writes.
  const probe = setInterval(() => socket.write('\r\n'), 5_000);
  socket.on('error', () => {});
  socket.once('close', () => {
    clearInterval(probe);
    setTimeout(askWithoutReading, 1_000);
  });
}
