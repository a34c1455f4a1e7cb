/**
 * The baseline for files: bare node:http that appends request bodies to a file, flushes the file to disk
 * after the last part, and serves it. It checks nothing.
 */
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const file = process.argv[2] ?? '';

const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function handle(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'DELETE') rmSync(file, { force: true });
  if (request.method === 'PATCH') {
    const isLast = 'repr-digest' in request.headers;
    await pipeline(request, createWriteStream(file, { flags: 'a', flush: isLast }));
  }
  if (request.method === 'GET') return pipeline(createReadStream(file), response);
  return response.writeHead(204).end();
}
