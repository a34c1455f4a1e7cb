import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackupRun } from '../backup/runs.ts';
import { stateOfBackups, stateOfSpace } from './operation-state.ts';

const hourMs = 60 * 60_000;
/** 12:00 in Brasília. */
const now = Date.UTC(2026, 10, 26, 15);
const settings = {
  publicUrl: 'https://clinica.exemplo.com.br',
  backup: { destination: { folder: '/b' }, recipients: [], atMinute: 3 * 60 + 30, days: 35 },
};

/** A backup that was made some hours ago, with its last check and drill a day ago. */
function madeBefore(hours: number, changes: Partial<BackupRun> = {}): BackupRun {
  const startedAt = now - hours * hourMs;
  const yesterday = now - 24 * hourMs;
  return {
    ...{ startedAt, finishedAt: startedAt + 1, snapshot: 's', storedBytes: 1, damagedParts: null },
    ...{ verifiedAt: yesterday, drilledAt: yesterday, oldDeletedAt: null, ...changes },
  };
}

const stateOf = (runs: BackupRun[], isRunning = false) => stateOfBackups(settings, { runs, isRunning }, now);

describe('the state of the backups', () => {
  it('tells the age of the last backup, check and drill', () => {
    assert.deepEqual(stateOf([madeBefore(8)]), {
      isWell: true,
      text: 'O último é de 8 horas atrás; a última conferência, de 24 horas atrás; o último ensaio, de 24 horas atrás.',
    });
  });

  for (const [what, runs, warning] of [
    ['there is none', [], 'Ainda não há nenhum backup do site.'],
    ['the daily one is missing', [madeBefore(20)], 'O último backup diário não deu certo.'],
    [
      'the daily one has failed',
      [madeBefore(8, { finishedAt: null }), madeBefore(20)],
      'O último backup diário não deu certo.',
    ],
    ['none is recent', [madeBefore(27)], 'Há mais de 26 horas nenhum backup dá certo.'],
    ['none was checked', [madeBefore(8, { verifiedAt: null })], 'Nenhum backup foi conferido até hoje.'],
    [
      'the last check is old',
      [madeBefore(8, { verifiedAt: now - 10 * 24 * hourMs })],
      'Há mais de 9 dias nenhum backup é conferido.',
    ],
    [
      'the last check found damage',
      [madeBefore(8), madeBefore(32, { damagedParts: 2 })],
      'O último backup que foi conferido está danificado.',
    ],
  ] as const)
    it(`warns when ${what}`, () => {
      const state = stateOf([...runs]);
      assert.deepEqual([state.isWell, state.warning], [false, warning]);
      assert.match(state.text, /[Rr]ode npm run backup/);
    });

  it('waits for the daily backup while it is being made', () => {
    assert.equal(stateOf([madeBefore(20)], true).isWell, true);
    assert.equal(stateOf([], true).isWell, true);
  });

  it('asks for a drill without a mail', () => {
    const { isWell, text, warning } = stateOf([madeBefore(8, { drilledAt: null })]);
    assert.deepEqual([isWell, warning], [false, undefined]);
    assert.match(text, /nenhum ensaio foi anotado\. Faça o ensaio/);
  });
});

it('less than a tenth of a disk is little space', () => {
  assert.deepEqual(stateOfSpace('/d', { free: 10e9, total: 100e9 }), { isWell: true, text: '10 GB livres.' });
  const { isWell, text, warning = '' } = stateOfSpace('/d', { free: 9.9e9, total: 100e9 });
  assert.equal(isWell, false);
  assert.match(warning, /^Só há 9,9 GB livres, menos de um décimo, no disco de \/d \(servidor .+\)\.$/);
  assert.match(text, /Abra espaço/);
});
