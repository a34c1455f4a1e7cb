/**
 * The baseline of a response: bare node:http that sends the same bytes with the same headers, and nothing
 * else. `node bench/baselines/http-bytes.ts <URL> <headers of the request as JSON>`, without a URL an empty
 * response; prints its own URL.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const [url, headers = '{}'] = process.argv.slice(2);
const { status, kept, bytes } = url ? await read(url) : { status: 200, kept: {}, bytes: Buffer.from('') };

const server = createServer((_request, response) => {
  response.writeHead(status, kept);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

/** Returns the response with its compressed body, which `fetch` would decompress. */
async function read(from: string) {
  const sent = request(from, { headers: JSON.parse(headers) as Record<string, string>, agent: false });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  // Node sets these headers itself.
  const { date: _, connection: __, 'keep-alive': ___, ...kept } = response.headers;
  return { status: response.statusCode ?? 0, kept, bytes: Buffer.concat(await response.toArray()) };
}
