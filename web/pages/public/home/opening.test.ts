import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClosedDays, OpeningHours } from '#contract/site/schedule.ts';
import { closedSentence, usualHours } from './hours.ts';
import { closuresNear, openingAt, openingSentence } from './opening.ts';

const week: OpeningHours[] = [
  { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '14:00', closes: '18:00' },
  { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '12:30' },
];
const closed = (when: string) => `Agora estamos fechados; respondemos ${when}.`;
const open = (until: string) => `Estamos atendendo agora, até ${until}.`;

/** The sentence, which must be the same in browsers with and without `Temporal`. */
function sentenceAt(
  now: string,
  days: OpeningHours[],
  timeZone = 'America/Sao_Paulo',
  closed: ClosedDays[] = [],
) {
  const sentence = () => {
    const opening = openingAt({ timeZone, days, closed }, new Date(now));
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

const evenings: OpeningHours[] = [{ weekdays: ['fri', 'sat'], opens: '18:00', closes: '02:00' }];
const holidays: ClosedDays[] = [
  { from: '2026-12-24', until: '2027-01-03' },
  { from: '2026-11-24', until: '' },
];
const unusual: [now: string, days: OpeningHours[], closed: ClosedDays[], sentence: string][] = [
  ['2026-11-28T04:59:59Z', evenings, [], open('2h')],
  ['2026-11-28T05:00:00Z', evenings, [], closed('hoje às 18h')],
  // Early on Sunday, the hours of Saturday go on.
  ['2026-11-29T04:00:00Z', evenings, [], open('2h')],
  ['2026-11-28T02:30:00Z', [{ weekdays: ['fri'], opens: '18:00', closes: '00:00' }], [], open('meia-noite')],
  // The hours of Friday and of Saturday meet at midnight.
  [
    '2026-11-28T02:30:00Z',
    [
      { weekdays: ['fri'], opens: '18:00', closes: '00:00' },
      { weekdays: ['sat'], opens: '00:00', closes: '06:00' },
    ],
    [],
    open('6h'),
  ],
  [
    '2026-11-28T02:30:00Z',
    [{ weekdays: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], opens: '00:00', closes: '00:00' }],
    [],
    'Estamos atendendo agora.',
  ],
  ['2026-11-23T22:00:00Z', week, holidays, closed('na quarta às 9h')],
  ['2026-11-24T13:00:00Z', week, holidays, closed('amanhã às 9h')],
  ['2026-12-23T22:00:00Z', week, holidays, closed('em 4 de janeiro às 9h')],
  // A closed day does not end the hours of the evening before.
  ['2026-11-28T04:00:00Z', evenings, [{ from: '2026-11-28', until: '2026-11-28' }], open('2h')],
];
for (const [now, days, closures, sentence] of unusual)
  test(`at ${now}, past midnight or near holidays: ${sentence}`, () =>
    assert.equal(sentenceAt(now, days, 'America/Sao_Paulo', closures), sentence));

test('closed days are named from two months before until they end', () => {
  const namedAt = (now: string) =>
    closuresNear({ timeZone: 'America/Sao_Paulo', days: [], closed: holidays }, new Date(now)).map(
      closedSentence,
    );
  const christmas = 'Sem atendimento de 24 de dezembro a 3 de janeiro';
  assert.deepEqual(namedAt('2026-10-01T12:00:00Z'), ['Sem atendimento em 24 de novembro']);
  assert.deepEqual(namedAt('2026-11-24T12:00:00Z'), ['Sem atendimento em 24 de novembro', christmas]);
  // In São Paulo, it is still 3 January.
  assert.deepEqual(namedAt('2027-01-04T02:59:00Z'), [christmas]);
  assert.deepEqual(namedAt('2027-01-04T03:00:00Z'), []);
});

const sentences: [days: OpeningHours[], sentence: string][] = [
  [week, 'Segunda a sexta, das 9h às 12h30 e das 14h às 18h'],
  [
    [
      { weekdays: ['thu', 'tue'], opens: '13:00', closes: '01:00' },
      { weekdays: ['sat'], opens: '01:00', closes: '00:00' },
      { weekdays: ['sun'], opens: '00:00', closes: '00:00' },
    ],
    'Terça e quinta, das 13h à 1h; sábado, da 1h à meia-noite; domingo, 24 horas',
  ],
  [
    [{ weekdays: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], opens: '00:00', closes: '08:05' }],
    'Todos os dias, da meia-noite às 8h05',
  ],
  [
    [{ weekdays: ['mon', 'wed', 'fri'], opens: '09:00', closes: '18:00' }],
    'Segunda, quarta e sexta, das 9h às 18h',
  ],
];
for (const [days, sentence] of sentences)
  test(`the usual hours in words: ${sentence}`, () =>
    assert.equal(
      usualHours({
        schedule: { timeZone: 'America/Sao_Paulo', days, closed: [] },
        hours: 'Com hora marcada.',
      }),
      sentence,
    ));

test('without hours there is no sentence, and the clinic’s own words stay', () => {
  assert.equal(sentenceAt('2026-11-23T15:00:00Z', []), undefined);
  const schedule = { timeZone: 'America/Sao_Paulo' as const, days: [], closed: [] };
  assert.equal(
    usualHours({ schedule, hours: 'Às terças, com hora marcada.' }),
    'Às terças, com hora marcada',
  );
});

test('a preview leaves out hours and closed days that the admin has begun to write', () => {
  const begun = { weekdays: [], opens: '09:00', closes: '' };
  const schedule = {
    timeZone: 'America/Sao_Paulo' as const,
    days: [...week, begun],
    closed: [{ from: '', until: '2027-01-04' }],
  };
  assert.equal(usualHours({ schedule, hours: '' }), 'Segunda a sexta, das 9h às 12h30 e das 14h às 18h');
  assert.deepEqual(closuresNear(schedule, new Date('2026-11-23T12:00:00Z')), []);
  assert.equal(
    sentenceAt('2026-11-23T12:00:00Z', schedule.days, schedule.timeZone, schedule.closed),
    open('12h30'),
  );
});
