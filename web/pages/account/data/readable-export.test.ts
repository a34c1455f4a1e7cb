import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AccountExport, accountExport } from '#contract/account.ts';
import { moment, readableExport } from './readable-export.ts';

const at = Date.UTC(2026, 10, 26, 17, 3);

const clinician = { uid: 'u2', name: 'Dra. Ana', crm: 'CRM-SP 1' };

/** An export in which no field is empty. */
const full: AccountExport = {
  exportedAt: at,
  user: {
    ...{ id: 'u1', displayName: 'Ana Lua', email: 'ana@example.com', research: true, staff: false },
    ...{ member: 'admin', profilePic: '/files/foto', category: 'grupo' },
  },
  emailVerified: true,
  createdAt: at,
  lastSeenOn: '2026-11-26',
  nameFromGoogle: false,
  pictureFromGoogle: true,
  signInMethods: [{ provider: 'credential', since: at }],
  sessions: [{ id: 's1', current: true, startedAt: at, lastUsedAt: at, userAgent: 'Firefox' }],
  invitations: [{ sent: true, member: 'editor', createdAt: at, expiresAt: at }],
  passkeys: [{ id: 'p1', name: 'Celular', createdAt: at, lastUsedAt: at }],
  emailChanges: [{ oldEmail: 'a@b.co', newEmail: 'c@d.co', requestedAt: at, changedAt: at, expiresAt: at }],
  diary: {
    ...{ format: 'acolhe-diary', version: 1, exportedAt: at, unreadable: ['2026-11-25'] },
    entries: [
      {
        ...{ id: '00000000-0000-4000-8000-000000000000', day: '2026-11-26', zone: 'America/Sao_Paulo' },
        ...{ createdAt: at, words: ['calma'], intensity: 3, note: 'Dormi.', joined: false, time: '22:10' },
        ...{ practices: ['a'], toward: { axis: 'family' as const, words: 'Liguei.' } },
      },
    ],
  },
  diaryConsents: [{ version: '2026-11-27', text: 'Autorizo.', digest: 'ab12', givenAt: at, withdrawnAt: at }],
  diaryShares: [
    {
      ...{ id: '00000000-0000-4000-8000-000000000001', clinician, consent: 'Autorizo.', consentVersion: '1' },
      ...{ consentDigest: 'ab', grantedAt: at, endedAt: at, endedBy: 'patient', lastReadAt: at },
      scope: {
        ...{ from: '2026-11-14', to: '2026-11-14', notes: true, practices: false, expiresAt: at },
        entryId: '00000000-0000-4000-8000-000000000000',
      },
    },
  ],
  diaryReads: [{ id: 'r', clinician, at, what: 'note', from: '2026-11-01', to: '2026-11-14' }],
  consultationNotes: [
    {
      ...{ id: '00000000-0000-4000-8000-000000000002', clinicianUid: 'u2', day: '2026-11-27', revision: 2 },
      ...{ shownAt: at, questions: ['Ficou?', 'Evitei?', 'Hoje?'], answers: ['A pausa.', 'Nada.', 'Rir.'] },
    },
  ],
  assignments: [
    {
      ...{ id: '00000000-0000-4000-8000-000000000003', activityId: 'b', title: 'Caminhar', isPublic: false },
      ...{ message: 'Sem pressa.', fromDay: '2026-11-23', toDay: '2026-11-29', timesPerWeek: 3 },
      ...{ createdAt: at, withdrawnAt: at, clinician: { uid: 'u2', name: 'Dra. Ana' } },
      ...{ days: [{ day: '2026-11-24', state: 'done' as const }], skippedWeeks: ['2026-11-23'] },
    },
  ],
  reminder: {
    ...{ weekdays: [1, 3], hour: 8, zone: 'America/Sao_Paulo', on: false, sentAt: at },
    stoppedBy: 'unvisited',
  },
  wordMood: { semana: { humor: 'bom', noites: [3, 4] }, em: at, dormiu: true },
  newsletter: { consentedAt: at, confirmedAt: at },
  accessLog: [{ at, by: 'Bia', byId: 'u2', action: 'read', what: 'users' }],
  clinician: { name: 'Ana Lua', crm: 'CRM-SP 1', namedAt: at },
  favourites: [{ title: 'Respirar', path: '/practices/a', keptAt: at }],
  savedActivities: [{ id: 'a', title: 'Respirar', savedAt: at }],
  deletedActivities: [{ id: 'b', title: 'Pausar', deletedAt: at }],
  publishedVersions: [{ version: 3, note: 'Horário novo', publishedAt: at }],
  draftSections: [{ section: 'home', savedAt: at }],
  files: [{ path: 'profilePics/u1/f', contentType: 'image/webp', sizeBytes: 12_345, createdAt: at }],
};

/** Returns a copy of `value` for each value inside it, in which only that value is different. */
function changesOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value} x`];
  if (typeof value === 'number') return [value + 60_000];
  if (typeof value === 'boolean') return [!value];
  assert.ok(typeof value === 'object' && value !== null, 'The export has no empty field.');
  return Object.entries(value).flatMap(([name, inner]) =>
    changesOf(inner).map((changed) =>
      Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed }),
    ),
  );
}

it('says every value of every field of the export', () => {
  assert.deepEqual(Object.keys(accountExport.parse(full)).sort(), Object.keys(accountExport.shape).sort());
  const said = JSON.stringify(readableExport(full));
  const changed = changesOf(full) as AccountExport[];
  assert.ok(changed.length > 40);
  for (const data of changed)
    assert.notEqual(JSON.stringify(readableExport(data)), said, JSON.stringify(data));
});

it('writes dates as dates, and says where there is nothing', () => {
  assert.match(moment(at), /^26 de novembro de 2026, \d\d:03$/);
  const empty = readableExport({
    ...full,
    ...{ wordMood: false, newsletter: false, favourites: [], accessLog: [], savedActivities: [] },
  });
  const titles = empty.filter(({ items }) => items.length === 0).map(({ title }) => title);
  assert.deepEqual(titles, [
    ...['Práticas guardadas', 'Registro de palavras e humor', 'Carta', 'Quem viu ou mudou os seus dados'],
  ]);
  assert.ok(!empty.some(({ title }) => title === 'Práticas que você salvou'));
});
