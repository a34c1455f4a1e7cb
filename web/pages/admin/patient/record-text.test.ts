import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PatientAssignment } from '#contract/diary/week.ts';
import { recordText } from './record-text.ts';

it('writes assignments for the medical record, without the message and days without an answer', () => {
  const one: PatientAssignment = {
    ...{ id: 'a', activityId: 'p', title: 'Respirar', isPublic: true, message: 'Sem pressa.' },
    ...{ fromDay: '2026-11-23', toDay: '2026-11-29', timesPerWeek: 3, createdAt: 1, withdrawnAt: null },
    days: [
      { day: '2026-11-23', state: 'done' },
      { day: '2026-11-25', state: 'done' },
      { day: '2026-11-26', state: 'not-done' },
    ],
  };
  const other = { ...one, title: 'Caminhar', toDay: one.fromDay, timesPerWeek: 1, withdrawnAt: 2, days: [] };
  assert.equal(
    recordText({ assignments: [one, other], granted: [] }),
    [
      'Práticas propostas',
      'Respirar: 3 vezes por semana, de 23 de novembro de 2026 a 29 de novembro de 2026.',
      'Fez: 23 de novembro de 2026; 25 de novembro de 2026.',
      'Disse que não: 26 de novembro de 2026.',
      'Caminhar: uma vez por semana, 23 de novembro de 2026 (retirada).',
    ].join('\n'),
  );
});
