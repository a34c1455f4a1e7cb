import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { clockOf } from '#contract/site/clock.ts';
import { nextReminder } from './next-time.ts';

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const zones = [
  'America/Sao_Paulo',
  'America/Rio_Branco',
  'America/Noronha',
  'Europe/Lisbon',
  'America/St_Johns',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'UTC',
];

/** The hour and minutes on the clock, such as `2018-11-04 01:00`. */
function shownIn(zone: string, at: number) {
  const { date, minute } = clockOf(zone, new Date(at));
  return { date, hour: Math.floor(minute / 60), minute: minute % 60 };
}

describe('the next time of a reminder', () => {
  it('is the chosen hour of the next chosen day, over zones and years', () => {
    fc.assert(
      fc.property(
        fc.record({
          weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
          hour: fc.integer({ min: 0, max: 23 }),
          zone: fc.constantFrom(...zones),
        }),
        fc.integer({ min: Date.UTC(2000), max: Date.UTC(2037) }),
        (times, after) => {
          const { weekdays, hour, zone } = times;
          const at = nextReminder(times, after);
          const { date, hour: shown, minute } = shownIn(zone, at);
          assert.ok(at > after);
          assert.ok(weekdays.includes(new Date(`${date}T00:00Z`).getUTCDay()));
          // The first minute of the day that shows the hour or, if the clock skips it, a later hour.
          assert.ok(shown >= hour);
          if (shown > hour || minute > 0)
            for (let back = 1; back <= 180; back += 1)
              assert.notEqual(
                JSON.stringify(shownIn(zone, at - back * 60_000)),
                JSON.stringify({ date, hour, minute: 0 }),
              );
          // The same day has no second time, and no chosen day between is left out.
          const next = nextReminder(times, at, at);
          assert.ok(shownIn(zone, next).date > date);
          assert.ok(next - at <= 8 * dayMs || zone === 'Pacific/Apia' || hour >= 22);
          assert.equal(nextReminder(times, at - 1), at);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('takes the first of two equal hours, and the next hour for a skipped one', () => {
    const cases = [
      // Brazil, 2018: midnight of November 4 does not exist. February 17 of 2018 has 23:00 twice.
      ['America/Sao_Paulo', 0, '2018-11-03T12:00Z', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
      ['America/Sao_Paulo', 23, '2018-02-17T12:00Z', '2018-02-18T01:00Z', '2018-02-19T02:00Z'],
      ['America/Sao_Paulo', 8, '2018-11-03T12:00Z', '2018-11-04T10:00Z', '2018-11-05T10:00Z'],
      // Lisbon, 2026: 1:00 does not exist on March 29, and exists twice on October 25.
      ['Europe/Lisbon', 1, '2026-03-28T12:00Z', '2026-03-29T01:00Z', '2026-03-30T00:00Z'],
      ['Europe/Lisbon', 1, '2026-10-24T12:00Z', '2026-10-25T00:00Z', '2026-10-26T01:00Z'],
      ['Europe/Lisbon', 8, '2026-03-28T12:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
      ['America/Rio_Branco', 7, '2026-11-27T12:00Z', '2026-11-28T12:00Z', '2026-11-29T12:00Z'],
    ] as const;
    for (const [zone, hour, after, first, second] of cases) {
      const times = { weekdays: everyDay, hour, zone };
      const at = nextReminder(times, Date.parse(after));
      assert.equal(new Date(at).toISOString().slice(0, 16), first.slice(0, 16), `${zone} ${hour}`);
      const next = nextReminder(times, at);
      assert.equal(new Date(next).toISOString().slice(0, 16), second.slice(0, 16), `${zone} ${hour}, next`);
    }
  });

  it('is on another day than the last reminder, also after the hour or the zone changed', () => {
    const times = { weekdays: everyDay, hour: 20, zone: 'America/Sao_Paulo' };
    const sent = Date.parse('2026-11-27T11:00Z');
    assert.equal(nextReminder(times, sent, sent), Date.parse('2026-11-28T23:00Z'));
    const moved = { ...times, zone: 'Asia/Tokyo' };
    assert.equal(nextReminder(moved, sent, sent), Date.parse('2026-11-28T11:00Z'));
  });

  it('refuses a zone that the server does not know', () => {
    const times = { weekdays: everyDay, hour: 20, zone: 'America/Nowhere' };
    assert.throws(() => nextReminder(times, 0), RangeError);
  });
});
