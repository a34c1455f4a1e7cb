import type * as z from 'zod/mini';
import { texts } from '#clinic/texts.ts';
import type { activityInput } from '#contract/activity.ts';
import { listNames } from '#contract/axes.ts';
import { diaryTerms } from '#contract/diary/consent.ts';

/** Returns an activity as the form for new activities sends it. */
export function sampleActivity(changes: Partial<SentActivity> = {}): SentActivity {
  return {
    axis: 'mind',
    title: 'Um minuto com a respiração',
    url: 'https://www.youtube.com/watch?v=abcdefghijk',
    content: 'Note o ar que entra.\n\nNote o ar que sai.',
    image: '',
    audio: '',
    minutes: null,
    night: '',
    needs: '',
    visibility: 'public',
    ...changes,
  };
}
type SentActivity = z.output<typeof activityInput>;

const importedActivity = { id: 'a', createdAt: 1, updatedAt: 1, ...sampleActivity() };
const password = 'outraSenha123';
const diaryChange = {
  ...{ change: '00000000-0000-4000-8000-000000000000', day: '2026-11-27', zone: 'America/Sao_Paulo' },
  ...{ words: { add: ['calma'], remove: [] }, practices: { add: ['a'], remove: [] }, intensity: 3 },
  ...{ toward: { axis: 'mind', words: 'Um passo.' }, time: '23:59', note: { base: 0, text: 'Oi.' } },
};

/**
 * A valid body of each route that takes JSON. Passwords and tokens are wrong, so that the account stays
 * usable.
 */
export const routeBodies: Record<string, Record<string, unknown>> = {
  'POST /api/auth/sign-up/email': { displayName: 'Ana', email: 'nova@exemplo.com.br', password },
  'POST /api/auth/sign-in/email': { email: 'ninguem@exemplo.com.br', password },
  'POST /api/auth/request-password-reset': { email: 'ninguem@exemplo.com.br' },
  'POST /api/auth/reset-password': { token: 'nenhum', password },
  'POST /api/auth/first-admin': { token: 'nenhum' },
  'POST /api/auth/invitations': { email: 'ninguem@exemplo.com.br', member: 'editor', note: 'Oi, Bia.' },
  'POST /api/auth/invitations/link': { token: 'nenhum' },
  'POST /api/auth/invitations/accept': { token: 'nenhum', displayName: 'Ana', password },
  'POST /api/auth/change-password': { current: password, next: password },
  'POST /api/auth/delete-account': { password },
  'POST /api/auth/email-change': { email: 'ninguem@exemplo.com.br', password },
  'POST /api/auth/email-change/confirm': { token: 'nenhum' },
  'POST /api/auth/email-change/take-back': { token: 'nenhum' },
  'POST /api/auth/passkeys/sign-in': {
    ...{ id: 'nenhuma', clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  },
  'POST /api/auth/passkeys/begin': { password },
  'POST /api/auth/passkeys': {
    name: 'Celular',
    credential: { id: 'nenhuma', clientDataJSON: 'e30', attestationObject: 'AA', transports: ['internal'] },
  },
  'PATCH /api/auth/passkeys/:id': { name: 'Celular' },
  'POST /api/auth/passkeys/:id/delete': { password },
  'POST /api/auth/second-factor/enable': { password },
  'POST /api/auth/second-factor/confirm': { code: '123456' },
  'POST /api/auth/second-factor/disable': { password },
  'POST /api/auth/second-factor/verify': { code: '123456' },
  'POST /api/auth/app-check': {
    challenge: { parameters: { algorithm: 'x' }, signature: 'x' },
    solution: { counter: 1, derivedKey: 'x' },
  },
  'PATCH /api/documents/users/:uid': { displayName: 'Ana', profilePic: '/images/ana.png' },
  'PUT /api/documents/activities/:list': { [listNames[0]]: [importedActivity] },
  'PUT /api/documents/activities/:list/order': { from: [], to: [] },
  'POST /api/documents/activities/:list/items': sampleActivity(),
  'PUT /api/documents/activities/:list/items/:id': sampleActivity(),
  'PUT /api/documents/favourites/:id': { keptAt: 1 },
  'PUT /api/documents/diary/pause': { paused: true },
  'POST /api/documents/diary/consent': diaryTerms,
  'PUT /api/documents/clinicians/:uid': { name: 'Dora', crm: 'CRM-SP 123456', password },
  'PUT /api/documents/diary/entries/:id': diaryChange,
  'POST /api/documents/diary/import': {
    file: { format: 'acolhe-diary', version: 1, exportedAt: 1, entries: [], unreadable: [] },
    again: [],
  },
  'POST /api/documents/diary/shares': {
    ...{ id: '00000000-0000-4000-8000-000000000000', clinicianUid: 'ninguem', consent: 'Autorizo.' },
    consentVersion: '2026-11-27',
    scope: { from: '2026-11-01', to: '2026-11-27', notes: false, practices: true, expiresAt: 1 },
  },
  'PUT /api/documents/week/:id/days/:day': { state: 'done' },
  'PUT /api/documents/week/:id/weeks/:monday': { skipped: true },
  'POST /api/documents/patients/:uid/assignments': {
    ...{ id: '00000000-0000-4000-8000-000000000000', activityId: 'nenhuma', message: '' },
    ...{ fromDay: '2026-11-27', toDay: '2026-11-27', timesPerWeek: 3 },
  },
  'PUT /api/documents/diary/notes/:id': {
    ...{ base: 0, clinicianUid: 'ninguem', day: '2026-11-27' },
    ...{ questions: ['O que ficou?', 'O que evitei?', 'O que hoje?'], answers: ['A pausa.', '', ''] },
  },
  'POST /api/documents/diary/notes/:id/show': { base: 1 },
  'PUT /api/documents/reminder': { weekdays: [1, 3], hour: 8, zone: 'America/Sao_Paulo', on: true },
  'POST /api/documents/newsletter': { email: 'ninguem@exemplo.com.br', consent: true },
  'POST /api/documents/newsletter/confirm': { token: 'nenhum' },
  'POST /api/documents/newsletter/leave': { token: 'nenhum' },
  'POST /api/documents/newsletter/issues': { subject: 'Sono', text: 'Água.', indexed: false },
  'PUT /api/documents/newsletter/issues/:id': { subject: 'Sono', text: 'Água.', indexed: false },
  'POST /api/documents/practice-events': { id: 'nenhuma', event: 'opened' },
  'POST /api/auth/verify-email': { token: 'nenhum' },
  'POST /api/auth/verify-email/link': { token: 'nenhum' },
  'PUT /api/site/draft/:section': texts.member,
  'POST /api/site/publish': { note: 'Novo telefone', warningsConfirmed: true },
};

/** Routes that change something and take no JSON. */
export const withoutBody = new Set([
  'POST /api/auth/sign-out',
  'POST /api/auth/sessions/end-others',
  'POST /api/auth/send-verification-email',
  'POST /api/documents/activities/:list/items/:id/restore',
  'POST /api/documents/diary/shares/:id/revoke',
  'POST /api/documents/diary/notes/:id/close',
  'POST /api/documents/patients/:uid/assignments/:id/withdraw',
  'POST /api/documents/newsletter/issues/:id/test',
  'POST /api/documents/newsletter/issues/:id/send',
  'POST /api/documents/newsletter/issues/:id/pause',
  'POST /api/documents/newsletter/issues/:id/resume',
  'POST /carta/sair/:token',
  'POST /api/documents/reminder/test',
  'POST /lembrete/sair/:token',
  'POST /api/site/preview',
  'POST /api/site/versions/:version/restore',
  'POST /api/storage/objects',
  'POST /api/storage/resumable',
  'PATCH /api/storage/resumable/:uploadId',
]);
