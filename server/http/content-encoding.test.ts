import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodingFor } from './send-document.ts';

it('chooses Brotli, then gzip, and never one that the client refuses', () => {
  const expected: [header: string | undefined, encoding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000', 'identity'],
    ['gzip;q=0', 'identity'],
    ['brotli, xgzip', 'identity'],
  ];
  for (const [header, encoding] of expected) assert.equal(encodingFor(header), encoding, String(header));
});
