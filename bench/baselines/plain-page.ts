/**
 * The baseline of a page: its text and links as plain HTML, compressed once and sent by bare node:http,
 * without styles, fonts, pictures or scripts. `node bench/baselines/plain-page.ts <URL of the page>`;
 * prints its own URL.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

const [url = ''] = process.argv.slice(2);
const response = await fetch(url);
if (!response.ok) throw new Error(`${url} returned ${response.status}.`);
const page = await response.text();

const kept = new Set([
  ...['header', 'main', 'footer', 'nav', 'section', 'details', 'summary', 'form', 'label', 'input', 'button'],
  ...['h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'strong', 'em', 'br'],
]);
const words = page
  .slice(page.indexOf('<body'))
  .replace(/<!--.*?-->/gs, '')
  .replace(/<(script|svg|picture)\b.*?<\/\1>/gs, '')
  .replace(/<(\/?)([a-z0-9]+)([^>]*)>/g, (_, end: string, name: string, attributes: string) => {
    const link = name === 'a' && /\shref="[^"]*"/.exec(attributes)?.[0];
    return kept.has(name) ? `<${end}${name}${link || ''}>` : ' ';
  });
const title = /<title>[^<]*<\/title>/.exec(page)?.[0] ?? '';
// Without this, the browser requests /favicon.ico.
const plain = `<!doctype html><html lang="pt-BR"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${title}<body>${words}`;
const bytes = brotliCompressSync(plain);

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': bytes.length,
  });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
