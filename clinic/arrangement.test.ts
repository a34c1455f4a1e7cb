import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSection } from '#contract/site/checks.ts';
import { menuOf } from '#contract/site/menu.ts';
import { homeParts, orderedParts, shownParts } from '#contract/site/parts.ts';
import { shownContent } from '#contract/site/shown-content.ts';
import { demoContent } from './demo-content.ts';
import { texts } from './texts.ts';

const abc = ['a', 'b', 'c'] as const;

test('the parts of a page follow the order of the clinic, and a part that it lacks follows the one before', () => {
  assert.deepEqual(orderedParts({ order: [], hidden: [] }, abc), ['a', 'b', 'c']);
  assert.deepEqual(orderedParts({ order: ['c', 'a', 'b'], hidden: [] }, abc), ['c', 'a', 'b']);
  assert.deepEqual(orderedParts({ order: ['c', 'a'], hidden: [] }, abc), ['c', 'a', 'b']);
  assert.deepEqual(orderedParts({ order: ['c', 'b'], hidden: [] }, abc), ['a', 'c', 'b']);
  assert.deepEqual(shownParts({ order: ['c', 'b', 'a'], hidden: ['b'] }, abc), ['c', 'a']);
  // A newer version of the program can have parts that this one does not know.
  assert.deepEqual(orderedParts({ order: ['x' as 'a', 'b'], hidden: [] }, abc), ['a', 'b', 'c']);
});

test('the content for visitors has no text of hidden parts, and the menu no link to them', () => {
  const hidden = ['doctor', 'fees', 'faq', 'newsletter', 'about'] as const;
  const [item] = demoContent.home.resources.items;
  assert.ok(item);
  const items = [item, { ...item, url: '/#carta' }];
  const shown = shownContent({
    ...demoContent,
    home: { ...demoContent.home, resources: { ...demoContent.home.resources, items } },
    arrangement: {
      home: { order: [], hidden: [...hidden] },
      about: { order: [], hidden: ['act'] },
      confirmed: ['home.hero'],
    },
  });
  for (const part of hidden) assert.doesNotMatch(JSON.stringify(shown.home[part]), /[a-z]{3,}"[,\]}]/i, part);
  assert.deepEqual([shown.questions, shown.about.processes, shown.about.act.title], [[], [], '']);
  assert.deepEqual(shown.home.resources.items, [item]);
  assert.deepEqual(shown.arrangement.confirmed, []);
  assert.deepEqual(shown.home.hero, demoContent.home.hero);
  assert.deepEqual(menuOf(shown, false), {
    ...{ doctor: false, fees: false, questions: false, newsletter: false, night: false },
  });
  assert.deepEqual(shownContent(texts), texts);
});

test('an arrangement names each part once, and leaves something on the page about the approach', () => {
  const { arrangement } = texts;
  const check = (change: object) => checkSection('arrangement', { ...arrangement, ...change });
  assert.equal(check({ home: { order: ['faq', 'faq'], hidden: [] } }).mistakes.length, 1);
  assert.equal(check({ home: { order: [], hidden: ['hero'] } }).mistakes.length, 1);
  assert.equal(check({ about: { order: [], hidden: ['act', 'fap', 'together'] } }).problems.length, 1);
  const all = check({ home: { order: [...homeParts].reverse(), hidden: [...homeParts] } });
  assert.deepEqual([all.mistakes, all.problems], [[], []]);
});
