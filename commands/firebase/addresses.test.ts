import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteAddresses } from './addresses.ts';

test('a megabyte of text that is almost a URL is read in time proportional to its length', () => {
  const starts = ['gs://', 'https://', 'gs://a/', 'https%3A%2F%2Fstorage.googleapis.com%2F', 'https://a.b'];
  for (const repeated of [...starts, ...starts.map((start) => `${start}x).,;`), 'a.', '.', ')', '%']) {
    const text = repeated.repeat(Math.ceil(1_000_000 / repeated.length));
    for (const long of [text, `gs://b/${text}`, `https://storage.googleapis.com/b/${text}`]) {
      const started = performance.now();
      rewriteAddresses(
        long,
        () => false,
        () => undefined,
      );
      // This takes some milliseconds. With quadratic time it would take hours.
      assert.ok(performance.now() - started < 5_000, repeated);
    }
  }
});

test('a text keeps what stands after a URL, even after a percent-encoded one', () => {
  const old = 'https://storage.googleapis.com/clinica/foto 1.png';
  const rewrite = (text: string) =>
    rewriteAddresses(
      text,
      ({ name }) => name === 'foto 1.png',
      () => '/files/foto',
    );
  assert.equal(rewrite(`Veja ${encodeURI(old)}, e ${encodeURI(old)}.`), 'Veja /files/foto, e /files/foto.');
  assert.equal(rewrite(`https://a.b/?u=${encodeURIComponent(old)}.`), 'https://a.b/?u=%2Ffiles%2Ffoto.');
});
