import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DiaryRead, type DiaryShare, endOfDay } from '#contract/diary/share.ts';
import { endSentence, readSentence, scopeSentence, writtenDays } from './sentences.ts';

const now = new Date(2026, 10, 27, 18, 30).getTime();
const clinician = { uid: 'u', name: 'Dra. Ana', crm: 'CRM-SP 1' };
const read: DiaryRead = {
  ...{ id: 'r', clinician, at: new Date(2026, 10, 27, 14, 5).getTime(), what: 'entries' },
  ...{ from: '2026-11-01', to: '2026-11-14' },
};
const share: DiaryShare = {
  ...{ id: 's', clinician, consent: '', consentVersion: '', consentDigest: '', grantedAt: now },
  scope: {
    ...{ from: '2026-10-28', to: '2026-11-14', notes: false, practices: false },
    expiresAt: endOfDay('2026-12-26'),
  },
  ...{ endedAt: null, endedBy: null, lastReadAt: null },
};

it('writes days as people say them', () => {
  for (const [from, to, words] of [
    ['2026-11-14', '2026-11-14', '14 de novembro'],
    ['2026-11-01', '2026-11-14', '1 a 14 de novembro'],
    ['2026-10-28', '2026-11-14', '28 de outubro a 14 de novembro'],
    ['2025-10-28', '2025-11-14', '28 de outubro a 14 de novembro de 2025'],
    ['2025-12-28', '2026-01-14', '28 de dezembro de 2025 a 14 de janeiro'],
  ] as const)
    assert.equal(writtenDays(from, to, '2026-11-27'), words);
});

it('says who has read what', () => {
  assert.equal(
    readSentence(read, now),
    'Dra. Ana leu as anotações de 1 a 14 de novembro, em 27 de novembro, às 14h05.',
  );
  const note: DiaryRead = { ...read, what: 'note', from: '2026-11-27', to: '2026-11-27' };
  assert.equal(
    readSentence({ ...note, at: new Date(2025, 0, 2, 1, 5).getTime() }, now),
    'Dra. Ana leu a nota para a consulta de 27 de novembro, em 2 de janeiro de 2025, à 1h05.',
  );
});

it('says that a clinician has read the answers of the week', () => {
  assert.equal(
    readSentence({ ...read, what: 'week' }, now),
    'Dra. Ana leu as suas respostas da semana, de 1 a 14 de novembro, em 27 de novembro, às 14h05.',
  );
});

it('says what a share contains, and how it ends', () => {
  assert.equal(scopeSentence(share, now), 'As palavras e a intensidade de 28 de outubro a 14 de novembro.');
  const scope = { ...share.scope, from: '2026-11-14', entryId: 'e', notes: true, practices: true };
  assert.equal(
    scopeSentence({ scope }, now),
    'As palavras e a intensidade de uma anotação, de 14 de novembro. Também suas notas. Também suas práticas e seus passos.',
  );
  assert.match(
    scopeSentence({ scope: { ...share.scope, practices: true } }, now),
    /Também suas práticas e seus passos, e suas respostas de “Sua semana”\.$/,
  );
  assert.equal(endSentence(share, now), 'Termina em 26 de dezembro.');
  assert.equal(
    endSentence({ ...share, scope: { ...share.scope, expiresAt: endOfDay('2026-11-20') } }, now),
    'Terminou em 20 de novembro.',
  );
  const ended = { ...share, endedAt: new Date(2026, 10, 20, 9, 0).getTime() };
  assert.equal(
    endSentence({ ...ended, endedBy: 'patient' }, now),
    'Você encerrou em 20 de novembro, às 9h00.',
  );
  assert.match(endSentence({ ...ended, endedBy: 'clinician' }, now), /porque o cadastro de Dra\. Ana mudou/);
  assert.match(endSentence({ ...ended, endedBy: 'restore' }, now), /cópia de segurança/);
});
