import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccountExport } from '#contract/account.ts';
import { softwareSections } from './software-sections.ts';

/** For each kind of account data, the section of the privacy page that names it, and words in the section. */
const places: Record<Exclude<keyof AccountExport, 'exportedAt'>, [section: string, words: string]> = {
  user: ['conta', 'nome e e-mail'],
  emailVerified: ['conta', 'e-mail'],
  createdAt: ['conta', 'foi criada'],
  lastSeenOn: ['conta', 'o último dia'],
  nameFromGoogle: ['conta', 'o seu nome'],
  pictureFromGoogle: ['conta', 'a sua foto'],
  signInMethods: ['conta', 'Google'],
  passkeys: ['conta', 'chaves de acesso'],
  emailChanges: ['conta', 'o endereço antigo e o novo'],
  sessions: ['conta', 'as sessões abertas'],
  invitations: ['conta', 'o papel e a mensagem do convite'],
  diary: ['diario', 'as palavras, a intensidade, a nota'],
  diaryConsents: ['diario', 'o texto que você autorizou'],
  diaryShares: ['diario-compartilhado', 'o texto da autorização'],
  diaryReads: ['diario-compartilhado', 'quem leu, quando e de quais dias'],
  consultationNotes: ['diario-compartilhado', 'as notas para consultas'],
  assignments: ['semana', 'o que você responde em cada dia'],
  reminder: ['lembrete', 'os dias, a hora e o fuso horário'],
  wordMood: ['humor', 'o registro de humor'],
  newsletter: ['carta', 'a data em que você consentiu e confirmou'],
  accessLog: ['conta', 'consultou ou mudou os seus dados'],
  clinician: ['conta', 'o seu CRM e desde quando'],
  favourites: ['praticas-guardadas', 'a prática e a data'],
  savedActivities: ['conta', 'salvou'],
  deletedActivities: ['conta', 'apagou'],
  publishedVersions: ['conta', 'publicou'],
  draftSections: ['conta', 'salvou'],
  files: ['conta', 'enviou'],
};

it('the privacy page names everything that the export of an account contains', () => {
  const contact = { name: 'Ana', email: 'ana@exemplo.com.br' };
  const { first, last } = softwareSections(
    { email: contact.email, privacyContact: contact },
    { countsUse: true },
  );
  const texts = new Map([...first, ...last].map(({ id, blocks }) => [id, blocks.flat().join('\n')]));
  for (const [field, [section, words]] of Object.entries(places))
    assert.ok(texts.get(section)?.includes(words), `${field}: “${words}” in “${section}”`);
});
