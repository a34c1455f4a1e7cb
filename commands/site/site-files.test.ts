import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '#clinic/texts.ts';
import { textsIn } from '#contract/site/sample-values.ts';
import { fileFields } from './site-files.ts';

test('every field of the content that names a file is exported', () => {
  const named = textsIn(texts).filter(({ text }) => /^\/(?:images|audio)\//.test(text));
  assert.deepEqual(
    fileFields.map(({ path }) => path.join('.')),
    named.map(({ path }) => path),
  );
});
