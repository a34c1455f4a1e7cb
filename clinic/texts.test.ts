import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkSection, isIdentityReal } from '#contract/site/checks.ts';
import { type SectionName, sectionNames } from '#contract/site/content.ts';
import { textsIn } from '#contract/site/sample-values.ts';
import { warningsIn } from '#contract/site/warnings.ts';
import { texts } from './texts.ts';

const findings = (section: SectionName) => checkSection(section, texts[section]);

test('no section of the sample content has a mistake', () => {
  assert.deepEqual(
    sectionNames.flatMap((section) => findings(section).mistakes),
    [],
  );
});

test('only the identity must be corrected before a publication', () => {
  const toCorrect = sectionNames.filter((section) => findings(section).problems.length > 0);
  assert.deepEqual(toCorrect, ['identity']);
  assert.equal(isIdentityReal(texts), false);
});

test('outside the identity, an admin must confirm only sample facts about the clinic', () => {
  const elsewhere = warningsIn(texts, texts).filter(({ section }) => section !== 'identity');
  assert.deepEqual(
    elsewhere.map(({ section, path }) => `${section}.${path}`),
    [
      ...['practices.externalVideo.url', 'home.hero.portrait', 'home.about.portrait'],
      ...['home.fees', 'privacy.sections'],
    ],
  );
});

test('the sample content answers at least ten questions', () => {
  assert.ok(texts.questions.length >= 10);
});

test('every file of the sample content exists', () => {
  const files = textsIn(texts).filter(({ text }) => /^\/(?:images|audio)\//.test(text));
  assert.ok(files.length >= 5);
  for (const { text } of files) assert.ok(existsSync(join(import.meta.dirname, text)), text);
});
