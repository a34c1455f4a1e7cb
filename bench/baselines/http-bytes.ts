/**
 * The baseline of a response: bare node:http that sends the same bytes with the same headers, and nothing
 * else. `node bench/baselines/http-bytes.ts <file with the response>`; prints its own URL.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [file] = process.argv.slice(2);
const { status, headers, body } = file
  ? (JSON.parse(await readFile(file, 'utf8')) as {
      status: number;
      headers: Record<string, string>;
      body: string;
    })
  : { status: 200, headers: {}, body: '' };
const bytes = Buffer.from(body, 'base64');

const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
