import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpeningHours } from '#contract/site/schedule.ts';
import { openingAt, openingSentence } from './opening.ts';

const week: OpeningHours[] = [
  { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '14:00', closes: '18:00' },
  { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '12:30' },
];
const closed = (when: string) => `Agora estamos fechados; respondemos ${when}.`;
const open = (until: string) => `Estamos atendendo agora, até ${until}.`;

/** The sentence, which must be the same in browsers with and without `Temporal`. */
function sentenceAt(now: string, days: OpeningHours[], timeZone = 'America/Sao_Paulo') {
  const sentence = () => {
    const opening = openingAt({ timeZone, days }, new Date(now));
    return opening && openingSentence(opening);
  };
  const temporal = Object.getOwnPropertyDescriptor(globalThis, 'Temporal');
  assert.ok(temporal);
  const withTemporal = sentence();
  Reflect.deleteProperty(globalThis, 'Temporal');
  try {
    assert.equal(sentence(), withTemporal);
  } finally {
    Object.defineProperty(globalThis, 'Temporal', temporal);
  }
  return withTemporal;
}

/** 2026-11-23 is a Monday. São Paulo is three hours behind UTC. */
const moments: [now: string, sentence: string][] = [
  ['2026-11-23T03:00:00Z', closed('hoje às 9h')],
  ['2026-11-23T11:59:59Z', closed('hoje às 9h')],
  ['2026-11-23T12:00:00Z', open('12h30')],
  ['2026-11-23T15:29:59Z', open('12h30')],
  ['2026-11-23T15:30:00Z', closed('hoje às 14h')],
  ['2026-11-23T17:00:00Z', open('18h')],
  ['2026-11-23T20:59:59Z', open('18h')],
  ['2026-11-23T21:00:00Z', closed('amanhã às 9h')],
  // In UTC, it is already Tuesday; in São Paulo, it is still Monday.
  ['2026-11-24T02:59:59Z', closed('amanhã às 9h')],
  ['2026-11-24T03:00:00Z', closed('hoje às 9h')],
  ['2026-11-27T22:00:00Z', closed('na segunda às 9h')],
  ['2026-11-28T15:00:00Z', closed('na segunda às 9h')],
  ['2026-11-29T15:00:00Z', closed('amanhã às 9h')],
  // In São Paulo, this is the last evening of the year.
  ['2027-01-01T01:00:00Z', closed('amanhã às 9h')],
];
for (const [now, sentence] of moments)
  test(`at ${now}: ${sentence}`, () => assert.equal(sentenceAt(now, week), sentence));

const saturdays: OpeningHours[] = [{ weekdays: ['sat'], opens: '01:00', closes: '13:00' }];
const others: [now: string, days: OpeningHours[], sentence: string][] = [
  ['2026-11-23T15:00:00Z', saturdays, closed('no sábado à 1h')],
  ['2026-11-28T17:00:00Z', saturdays, closed('no próximo sábado à 1h')],
  [
    '2026-11-23T22:00:00Z',
    [{ weekdays: ['mon'], opens: '09:05', closes: '18:00' }],
    closed('na próxima segunda às 9h05'),
  ],
  // Two intervals without a pause between them count as one.
  [
    '2026-11-23T13:00:00Z',
    [
      { weekdays: ['mon'], opens: '12:00', closes: '19:00' },
      { weekdays: ['mon'], opens: '09:00', closes: '12:00' },
    ],
    open('19h'),
  ],
  // The interval is from midnight to the last minute of the day.
  ['2026-11-23T03:00:00Z', [{ weekdays: ['mon'], opens: '00:00', closes: '23:59' }], open('23h59')],
  ['2026-11-24T02:59:00Z', [{ weekdays: ['tue'], opens: '00:00', closes: '23:59' }], closed('amanhã às 0h')],
];
for (const [now, days, sentence] of others)
  test(`at ${now}, with other hours: ${sentence}`, () => assert.equal(sentenceAt(now, days), sentence));

test('the sentence about the opening hours follows daylight saving time', () => {
  const newYork = (now: string) => sentenceAt(now, week, 'America/New_York');
  // Clocks go back on Sunday, 2026-11-01, and forward on Sunday, 2027-03-14.
  assert.equal(newYork('2026-10-30T13:00:00Z'), open('12h30'));
  assert.equal(newYork('2026-11-02T13:59:59Z'), closed('hoje às 9h'));
  assert.equal(newYork('2026-11-02T14:00:00Z'), open('12h30'));
  assert.equal(newYork('2027-03-15T12:59:59Z'), closed('hoje às 9h'));
  assert.equal(newYork('2027-03-15T13:00:00Z'), open('12h30'));
  // Early on 2026-11-01, one hour occurs twice; early on 2027-03-14, one hour is missing.
  assert.equal(newYork('2026-11-01T05:30:00Z'), closed('amanhã às 9h'));
  assert.equal(newYork('2026-11-01T06:30:00Z'), closed('amanhã às 9h'));
  assert.equal(newYork('2027-03-14T07:00:00Z'), closed('amanhã às 9h'));
});

test('the sentence depends on the time zone of the clinic', () => {
  const now = '2026-11-23T12:30:00Z';
  assert.equal(sentenceAt(now, week, 'America/Sao_Paulo'), open('12h30'));
  assert.equal(sentenceAt(now, week, 'America/Rio_Branco'), closed('hoje às 9h'));
  assert.equal(sentenceAt('2026-11-23T19:30:00Z', week, 'America/Noronha'), open('18h'));
  assert.equal(sentenceAt('2026-11-23T21:30:00Z', week, 'America/Manaus'), open('18h'));
});

test('without hours there is no sentence', () => {
  assert.equal(sentenceAt('2026-11-23T15:00:00Z', []), undefined);
});
