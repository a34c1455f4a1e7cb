import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSection } from '#contract/site/checks.ts';
import {
  completeContent,
  completeSection,
  fieldsWithDefault,
  withoutDefaults,
} from '#contract/site/complete.ts';
import { sectionNames, siteContentSchema } from '#contract/site/content.ts';
import { olderContent } from './older-content.ts';
import { texts } from './texts.ts';

const stored = olderContent(texts);

test('older content gets the defaults of new fields, in the order of the schema', () => {
  const { home, identity, about, practices, ...others } = completeContent(stored);
  assert.deepEqual(home.hero.facts, []);
  assert.deepEqual(home.fees, { title: '', prices: [], paragraphs: [], items: [] });
  assert.deepEqual(identity.schedule, { timeZone: 'America/Sao_Paulo', days: [], closed: [] });
  assert.equal(home.resources.items.length, 3);
  assert.deepEqual([about.pageTitle, practices.tipsTitle], ['A abordagem', 'Como aproveitar uma prática']);
  assert.deepEqual(Object.keys(home), Object.keys(siteContentSchema.shape.home.shape));
  assert.deepEqual(Object.keys(identity), Object.keys(siteContentSchema.shape.identity.shape));
  assert.deepEqual(others, completeContent(others));
  assert.ok(fieldsWithDefault >= 10);
});

test('a section that only a newer version of the program knows is left out', () => {
  const newer = { ...texts, novidades: { title: 'Novidades' } };
  assert.deepEqual(completeContent(newer), texts);
});

test('without its defaults, completed content is what the older version stored', () => {
  for (const name of sectionNames)
    assert.equal(
      JSON.stringify(withoutDefaults(name, completeSection(name, stored[name]))),
      JSON.stringify(withoutDefaults(name, stored[name])),
    );
  assert.deepEqual(withoutDefaults('home', completeSection('home', stored.home)), stored.home);
});

test('complete content and wrong content stay as they are', () => {
  assert.deepEqual(completeContent(texts), texts);
  for (const wrong of [null, 3, 'texto', [], [null]]) assert.deepEqual(completeSection('home', wrong), wrong);
  const strange = JSON.parse('{ "extra": [1], "hero": 3, "__proto__": { "a": 1 }, "constructor": 2 }');
  const completed = completeSection('home', strange) as unknown as Record<string, unknown>;
  for (const key of ['extra', 'hero', '__proto__', 'constructor'])
    assert.deepEqual(Object.getOwnPropertyDescriptor(completed, key)?.value, strange[key], key);
});

const hours = (opens: string, closes: string, weekdays = ['mon']) => ({ weekdays, opens, closes });
const schedules: [what: string, days: unknown[], problems: string[]][] = [
  ['a lunch break', [hours('09:00', '12:00'), hours('13:00', '18:00')], []],
  ['intervals without a pause', [hours('09:00', '12:00'), hours('12:00', '18:00')], []],
  ['the same hours on other days', [hours('09:00', '12:00'), hours('09:00', '12:00', ['tue'])], []],
  ['no day', [hours('09:00', '12:00', [])], ['schedule.days.0.weekdays']],
  ['no times', [hours('', '')], ['schedule.days.0.opens', 'schedule.days.0.closes']],
  ['a time that does not exist', [hours('09:00', '24:00')], ['schedule.days.0.closes']],
  ['hours past midnight', [hours('18:00', '02:00'), hours('09:00', '12:00', ['tue'])], []],
  ['hours all day', [hours('00:00', '00:00')], []],
  ['an end at the beginning', [hours('09:00', '09:00')], ['schedule.days.0.closes']],
  [
    'intervals that overlap on one day',
    [hours('09:00', '12:00', ['mon', 'tue']), hours('11:59', '18:00', ['tue', 'wed'])],
    ['schedule.days.1.opens'],
  ],
  [
    'hours that overlap with those of the night before',
    [hours('18:00', '02:00', ['sat']), hours('01:00', '08:00', ['sun'])],
    ['schedule.days.1.opens'],
  ],
  ['no hours, and no words about them', [], ['schedule.days']],
];
for (const [what, days, problems] of schedules)
  test(`a schedule with ${what} ${problems.length === 0 ? 'can be published' : 'stays a draft'}`, () => {
    const identity = { ...texts.identity, schedule: { timeZone: 'America/Manaus', days, closed: [] } };
    const found = checkSection('identity', identity);
    assert.deepEqual(found.mistakes, []);
    const paths = found.problems.map(({ path }) => path).filter((path) => path.startsWith('schedule'));
    assert.deepEqual(paths, problems);
  });

test('closed days need a first day, and end after it', () => {
  const closed = [
    { from: '2026-12-24', until: '' },
    { from: '2026-12-24', until: '2027-01-04' },
    { from: '', until: '2027-01-04' },
    { from: '2026-12-24', until: '2026-12-23' },
    { from: '2026-02-30', until: '2026-13-01' },
  ];
  const identity = { ...texts.identity, schedule: { ...texts.identity.schedule, closed } };
  const { mistakes, problems } = checkSection('identity', identity);
  const paths = problems.map(({ path }) => path).filter((path) => path.startsWith('schedule.closed'));
  assert.deepEqual(mistakes, []);
  assert.deepEqual(
    paths.map((path) => path.replace('schedule.closed.', '')),
    ['2.from', '4.from', '4.until', '3.until'],
  );
});

test('a schedule in another zone or on a day that does not exist is a mistake', () => {
  for (const schedule of [
    { timeZone: 'Europe/Lisbon', days: [], closed: [] },
    { timeZone: 'America/Manaus', days: [hours('09:00', '12:00', ['someday'])], closed: [] },
  ])
    assert.equal(checkSection('identity', { ...texts.identity, schedule }).mistakes.length, 1);
});

const feeCases: [fees: object, problems: string[]][] = [
  [{ title: '', prices: [], paragraphs: [], items: [] }, []],
  [{ title: 'Valores', paragraphs: [], items: [] }, []],
  [{ title: ' ', paragraphs: ['Particular.'], items: [] }, ['fees.title']],
  [{ title: '', paragraphs: [], items: [{ title: 'Pix', text: '' }] }, ['fees.items.0.text', 'fees.title']],
];
for (const [fees, problems] of feeCases)
  test(`fees like ${JSON.stringify(fees)} have ${problems.length} problems`, () => {
    const found = checkSection('home', { ...texts.home, fees });
    assert.deepEqual([found.mistakes, found.problems.map(({ path }) => path)], [[], problems]);
  });
