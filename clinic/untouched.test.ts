import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Arrangement, SiteContent } from '#contract/site/content.ts';
import { openSamples, untouchedFields } from '#contract/site/untouched.ts';
import { texts } from './texts.ts';

const { home, questions, identity, arrangement } = texts;
const untouchedHome = (content: SiteContent['home']) => untouchedFields('home', content, home);

test('in the sample content, every text is untouched, the title and the description for search engines too', () => {
  const found = untouchedHome(home);
  for (const path of [
    'title',
    'description',
    'hero.lines.0',
    'hero.facts',
    'hero.portrait.file',
    'steps.items.3',
  ])
    assert.ok(found.includes(path), path);
  assert.deepEqual(
    untouchedFields('questions', questions, questions),
    questions.map((_question, place) => String(place)),
  );
});

test('a field is touched as soon as it says something else, and untouched when it says the sample again', () => {
  const written = { ...home, hero: { ...home.hero, lead: 'Atendo em Serra Clara.' } };
  const all = untouchedHome(home);
  assert.deepEqual(
    all.filter((path) => !untouchedHome(written).includes(path)),
    ['hero.lead'],
  );
  assert.deepEqual(untouchedHome({ ...written, hero: { ...written.hero, lead: home.hero.lead } }), all);
});

test('an item of a list stays untouched when it moves, and is touched when one of its texts changes', () => {
  const [first, second, ...rest] = questions as [SiteContent['questions'][0], SiteContent['questions'][0]];
  const written = [second, { ...first, answer: ['Sim.'] }, { question: 'Nova?', answer: ['Não.'] }];
  assert.deepEqual(untouchedFields('questions', [...written, ...rest], questions).slice(0, 2), ['0', '3']);
});

test('choices, switches and empty samples are never untouched', () => {
  const found = untouchedFields('identity', identity, identity);
  for (const path of ['profession', 'hours', 'schedule.timeZone', 'schedule.closed'])
    assert.ok(!found.includes(path), path);
  assert.ok(!untouchedFields('practices', texts.practices, texts.practices).includes('countsUse'));
  assert.deepEqual(untouchedFields('arrangement', arrangement, arrangement), []);
});

const openIn = (section: keyof SiteContent, change: Partial<Arrangement>) =>
  openSamples(section, {
    content: texts[section],
    sample: texts[section],
    arrangement: { ...arrangement, ...change },
  });

test('what the clinic confirms or hides is not marked, but what it must replace stays marked', () => {
  assert.ok(openIn('home', {}).some((path) => path.startsWith('steps.')));
  const hidden = openIn('home', { home: { order: [], hidden: ['steps'] } });
  const confirmed = openIn('home', { confirmed: ['home.steps', 'home.title'] });
  for (const found of [hidden, confirmed]) {
    assert.ok(!found.some((path) => path.startsWith('steps.')));
    assert.ok(found.includes('description'));
  }
  assert.ok(!confirmed.includes('title') && hidden.includes('title'));
  assert.deepEqual(openIn('questions', { confirmed: ['questions'] }), []);
  assert.deepEqual(openIn('questions', { home: { order: [], hidden: ['faq'] } }), []);
  assert.ok(!openIn('about', { about: { order: [], hidden: ['act'] } }).includes('processes.0'));
  const left = openIn('identity', { confirmed: ['identity'] });
  assert.ok(left.includes('crm') && !left.includes('bookingText'));
});
