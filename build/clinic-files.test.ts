import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { texts } from '#clinic/texts.ts';
import { checkClinicFiles } from './clinic-files.ts';

test('every file in the texts of the clinic exists', () => {
  checkClinicFiles();
});

test('a missing picture stops the build with one sentence', () => {
  const portrait = { file: '/images/minha-foto.webp', alt: 'Retrato' };
  const candidate = { ...texts, home: { ...texts.home, hero: { ...texts.home.hero, portrait } } };
  assert.throws(() => checkClinicFiles(candidate), {
    message:
      'Confira clinic/home.ts, em hero.portrait.file: o arquivo clinic/images/minha-foto.webp não existe.',
  });
});

test('a missing sound and a missing share image stop the build too', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-clinic-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const home = { listen: { audio: '/audio/sons.mp3' } };
  assert.throws(() => checkClinicFiles({ home }, folder), {
    message: 'Confira clinic/home.ts, em listen.audio: o arquivo clinic/audio/sons.mp3 não existe.',
  });
  mkdirSync(join(folder, 'audio'));
  writeFileSync(join(folder, 'audio', 'sons.mp3'), '');
  assert.throws(() => checkClinicFiles({ home }, folder), {
    message: 'O arquivo clinic/images/share.png não existe: rode node build/share-image.ts.',
  });
});
