import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSection, isIdentityReal } from '#contract/site/checks.ts';
import { sectionNames } from '#contract/site/content.ts';
import { warningsIn } from '#contract/site/warnings.ts';
import { demoContent } from './demo-content.ts';
import { texts } from './texts.ts';

test('the clinic of the demo can be published without a problem or a warning', () => {
  for (const name of sectionNames) {
    const { mistakes, problems } = checkSection(name, demoContent[name]);
    assert.deepEqual([...mistakes, ...problems], [], name);
  }
  assert.deepEqual(warningsIn(demoContent, texts), []);
  assert.ok(isIdentityReal(demoContent));
});

test('the texts of the demo say that it is a demonstration, and its email addresses and URLs cannot exist', () => {
  const { identity, home, member, privacy } = demoContent;
  for (const text of [home.hero.note, identity.address[0], home.description, member.lead, privacy.lead])
    assert.match(text ?? '', /demonstração/i);
  for (const address of [identity.email, identity.privacyContact.email])
    assert.match(address, /@clinica\.example$/);
  for (const { url } of [...identity.social, ...member.courses.items])
    assert.match(new URL(url).host, /\.example$/);
});
