import type { AccountExport } from '#contract/account.ts';
import { fullDate } from '#contract/calendar.ts';
import { categoryName, roleName } from '#contract/user.ts';

/** Facts about one thing: a label and a value each. */
export type Facts = [label: string, value: string][];

type ReadableSection = { title: string; items: Facts[] };

/** Names on screen of what the access log calls `what`; other names are shown as stored. */
const seenNames = new Map([
  ['users', 'a lista de pessoas'],
  ['users.csv', 'a planilha de pessoas'],
  ['newsletter.csv', 'a planilha da carta'],
  ['newsletter', 'os endereços que não receberam uma carta'],
  ['invitations', 'a lista de convites'],
  ['profilePic', 'a foto'],
  ['wordMood', 'o registro de palavras e humor'],
  ['displayName', 'o nome'],
  ['member', 'o papel'],
  ['staff', 'a marca de equipe'],
  ['research', 'a marca de pesquisa'],
  ['category', 'a categoria'],
  ['emailVerified', 'a confirmação do e-mail'],
  ['clinician', 'a permissão de ler diários compartilhados'],
]);
const providerNames = new Map([
  ['credential', 'E-mail e senha'],
  ['google', 'Google'],
]);

const readNames = {
  entries: 'as anotações do diário',
  note: 'a nota para a consulta',
  week: 'as respostas da semana',
};
const dayStateNames = { done: 'fiz', 'not-done': 'hoje não' };
const endNames = {
  patient: 'você a encerrou',
  clinician: 'os dados de quem podia ler mudaram',
  restore: 'o site foi recuperado de uma cópia de segurança',
};

const stopNames = {
  unvisited: 'passaram quatro semanas sem visita',
  refused: 'o e-mail recusou a mensagem',
  restored: 'o site foi recuperado de uma cópia de segurança',
};
/** In the order of JavaScript's `Date.getDay()`. */
const weekdayNames = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'];

/** Made at their first use, because this takes 20 ms, and the pages of the account share this code. */
let formats: Record<'date' | 'time', Intl.DateTimeFormat> | undefined;

/** Formats a time in epoch milliseconds: `26 de novembro de 2026, 14:03`. */
export function moment(at: number): string {
  formats ??= {
    date: new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long' }),
    time: new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' }),
  };
  return `${formats.date.format(at)}, ${formats.time.format(at)}`;
}

const yesOrNo = (value: boolean) => (value ? 'sim' : 'não');

/** The facts of each field of the export. A new field needs an entry here, and a place in `sections`. */
const factsOf: { [Field in keyof AccountExport]: (value: AccountExport[Field]) => Facts[] } = {
  exportedAt: (at) => [[['Lidos em', moment(at)]]],
  user: (user) => [
    [
      ['Nome', user.displayName],
      ['E-mail', user.email],
      ['Foto', user.profilePic || 'nenhuma'],
      ['Papel', roleName(user.member)],
      ['Categoria', user.category === undefined ? 'nenhuma' : categoryName(user.category)],
      ['Participa de pesquisa', yesOrNo(user.research)],
      ['É da equipe', yesOrNo(user.staff)],
      ['Número da conta', user.id],
    ],
  ],
  emailVerified: (verified) => [[['E-mail confirmado', yesOrNo(verified)]]],
  createdAt: (at) => [[['Conta criada em', moment(at)]]],
  lastSeenOn: (day) => [[['Último dia de uso', day === null ? 'nenhum' : fullDate(day)]]],
  nameFromGoogle: (fromGoogle) => [[['O nome vem do Google', yesOrNo(fromGoogle)]]],
  pictureFromGoogle: (fromGoogle) => [[['A foto vem do Google', yesOrNo(fromGoogle)]]],
  signInMethods: (methods) =>
    methods.map(({ provider, since }) => [
      ['Forma', providerNames.get(provider) ?? provider],
      ['Desde', moment(since)],
    ]),
  sessions: (sessions) =>
    sessions.map(({ id, current, startedAt, lastUsedAt, userAgent }) => [
      ['Navegador, como ele se apresenta', userAgent || 'não disse'],
      ['É este aparelho', yesOrNo(current)],
      ['Entrou em', moment(startedAt)],
      ['Último uso', moment(lastUsedAt)],
      ['Número da entrada', id],
    ]),
  invitations: (invitations) =>
    invitations.map(({ sent, member, createdAt, expiresAt }) => [
      ['Convite', sent ? 'que você enviou' : 'que você recebeu'],
      ['Papel', roleName(member)],
      ['Enviado em', moment(createdAt)],
      ['Vale até', moment(expiresAt)],
    ]),
  passkeys: (passkeys) =>
    passkeys.map(({ id, name, createdAt, lastUsedAt }) => [
      ['Chave de acesso', name],
      ['Criada em', moment(createdAt)],
      ['Último uso', lastUsedAt === null ? 'nenhum' : moment(lastUsedAt)],
      ['Número', id],
    ]),
  emailChanges: (changes) =>
    changes.map(({ oldEmail, newEmail, requestedAt, changedAt, expiresAt }) => [
      ['De', oldEmail],
      ['Para', newEmail],
      ['Pedida em', moment(requestedAt)],
      ['Feita em', changedAt === null ? 'ainda não' : moment(changedAt)],
      [changedAt === null ? 'O link vale até' : 'Pode ser desfeita até', moment(expiresAt)],
    ]),
  diary: (diary) =>
    diary === false
      ? []
      : [
          [
            ['Formato', `${diary.format} ${diary.version}`],
            ['Lido em', moment(diary.exportedAt)],
            ['Dias de anotações que não puderam ser abertas', diary.unreadable.join(', ') || 'nenhum'],
          ],
          ...diary.entries.map(
            ({ id, day, zone, createdAt, ...entry }): Facts => [
              ['Dia', fullDate(day)],
              ['Hora', entry.time ?? 'não escrita'],
              ['Palavras', entry.words.join(', ') || 'nenhuma'],
              ['Intensidade', entry.intensity === null ? 'não marcada' : String(entry.intensity)],
              ['Nota', entry.note || 'nenhuma'],
              ['A nota junta dois textos', yesOrNo(entry.joined)],
              ['Práticas', entry.practices.join(', ') || 'nenhuma'],
              ['Passo', entry.toward ? `${entry.toward.axis}: ${entry.toward.words}` : 'nenhum'],
              ['Guardada em', moment(createdAt)],
              ['Fuso horário', zone],
              ['Número', id],
            ],
          ),
        ],
  diaryConsents: (consents) =>
    consents.map(({ version, text, digest, givenAt, withdrawnAt }) => [
      ['Autorizado em', moment(givenAt)],
      ['Retirado em', withdrawnAt === null ? 'vale ainda' : moment(withdrawnAt)],
      ['Texto', text],
      ['Versão do texto', version],
      ['SHA-256 do texto', digest],
    ]),
  diaryShares: (shares) =>
    shares.map(({ id, clinician, scope, consent, consentVersion, consentDigest, ...times }) => [
      ['Quem pode ler', `${clinician.name}, ${clinician.crm}`],
      ['Número da conta de quem pode ler', clinician.uid],
      ['Dias', `${fullDate(scope.from)} a ${fullDate(scope.to)}`],
      ['Número da única anotação', scope.entryId ?? 'todas as anotações desses dias'],
      ['Com as notas', yesOrNo(scope.notes)],
      ['Com as práticas e os passos', yesOrNo(scope.practices)],
      ['Texto da autorização', consent],
      ['Versão do texto', consentVersion],
      ['Resumo do texto (SHA-256)', consentDigest],
      ['Autorizada em', moment(times.grantedAt)],
      ['Termina em', moment(scope.expiresAt)],
      ['Encerrada em', times.endedAt === null ? 'não foi encerrada' : moment(times.endedAt)],
      ['Por que foi encerrada', times.endedBy === null ? 'não foi encerrada' : endNames[times.endedBy]],
      ['Lida pela última vez em', times.lastReadAt === null ? 'ainda não' : moment(times.lastReadAt)],
      ['Número', id],
    ]),
  diaryReads: (reads) =>
    reads.map(({ id, clinician, at, what, from, to }) => [
      ['Quando', moment(at)],
      ['Quem', `${clinician.name}, ${clinician.crm}`],
      ['Número da conta de quem', clinician.uid],
      ['Leu', readNames[what]],
      ['Dias', `${fullDate(from)} a ${fullDate(to)}`],
      ['Número', id],
    ]),
  consultationNotes: (notes) =>
    notes.map(({ id, clinicianUid, day, revision, shownAt, ...content }) => [
      ['Dia da consulta', fullDate(day)],
      ...('unreadable' in content
        ? [['Respostas', 'não puderam ser abertas'] as [string, string]]
        : content.questions.map((question, place): [string, string] => [
            question,
            content.answers[place] || 'sem resposta',
          ])),
      ['Número da conta de quem atende', clinicianUid],
      ['Mostrada em', shownAt === null ? 'não está mostrada' : moment(shownAt)],
      ['Número da mudança', String(revision)],
      ['Número', id],
    ]),
  assignments: (assignments) =>
    assignments.map(({ clinician, days, skippedWeeks, ...assignment }) => [
      ['Prática', assignment.title],
      ['Número da prática', assignment.activityId],
      ['Está na biblioteca', yesOrNo(assignment.isPublic)],
      ['Quem propôs', clinician.name],
      ['Número da conta de quem propôs', clinician.uid],
      ['Mensagem', assignment.message === null ? 'não pôde ser aberta' : assignment.message || 'nenhuma'],
      ['Dias', `${fullDate(assignment.fromDay)} a ${fullDate(assignment.toDay)}`],
      ['Vezes por semana', String(assignment.timesPerWeek)],
      [
        'Suas respostas',
        days.map(({ day, state }) => `${fullDate(day)}: ${dayStateNames[state]}`).join('; ') || 'nenhuma',
      ],
      ['Semanas deixadas de lado, desde', skippedWeeks.map(fullDate).join('; ') || 'nenhuma'],
      ['Proposta em', moment(assignment.createdAt)],
      ['Retirada em', assignment.withdrawnAt === null ? 'não' : moment(assignment.withdrawnAt)],
      ['Número', assignment.id],
    ]),
  reminder: (reminder) =>
    reminder === false
      ? []
      : [
          [
            ['Dias', reminder.weekdays.map((day) => weekdayNames[day]).join(', ')],
            ['Hora', `${reminder.hour}h`],
            ['Fuso horário', reminder.zone],
            ['Ligado', yesOrNo(reminder.on)],
            ['Último enviado', reminder.sentAt === null ? 'nenhum' : moment(reminder.sentAt)],
            ...(reminder.stoppedBy === null
              ? []
              : [['Parou porque', stopNames[reminder.stoppedBy]] as [string, string]]),
          ],
        ],
  wordMood: (record) => [leavesOf(record || {})].filter((facts) => facts.length > 0),
  newsletter: (subscription) =>
    subscription === false
      ? []
      : [
          [
            ['Pedida em', moment(subscription.consentedAt)],
            [
              'Confirmada em',
              subscription.confirmedAt === null ? 'ainda não' : moment(subscription.confirmedAt),
            ],
          ],
        ],
  accessLog: (entries) =>
    entries.map(({ at, by, byId, action, what }) => [
      ['Quando', moment(at)],
      ['Quem', by],
      ['Número da conta de quem', byId ?? 'não guardado'],
      [
        action === 'read' ? 'Viu' : 'Mudou',
        what
          .split(' ')
          .map((name) => seenNames.get(name) ?? name)
          .join(', '),
      ],
    ]),
  clinician: (clinician) =>
    clinician === false
      ? []
      : [
          [
            ['Nome para os pacientes', clinician.name],
            ['CRM', clinician.crm],
            ['Desde', moment(clinician.namedAt)],
          ],
        ],
  favourites: (favourites) =>
    favourites.map(({ title, path, keptAt }) => [
      ['Prática', title ?? 'saiu da biblioteca'],
      ['Endereço', path],
      ['Guardada em', moment(keptAt)],
    ]),
  savedActivities: (activities) =>
    activities.map(({ id, title, savedAt }) => [
      ['Prática', title],
      ['Salva em', moment(savedAt)],
      ['Número', id],
    ]),
  deletedActivities: (activities) =>
    activities.map(({ id, title, deletedAt }) => [
      ['Prática', title],
      ['Deletada em', moment(deletedAt)],
      ['Número', id],
    ]),
  publishedVersions: (versions) =>
    versions.map(({ version, note, publishedAt }) => [
      ['Versão', String(version)],
      ['Nota', note || 'nenhuma'],
      ['Publicada em', moment(publishedAt)],
    ]),
  draftSections: (sections) =>
    sections.map(({ section, savedAt }) => [
      ['Parte do site', section],
      ['Salva em', moment(savedAt)],
    ]),
  files: (files) =>
    files.map(({ path, contentType, sizeBytes, createdAt }) => [
      ['Arquivo', path],
      ['Tipo', contentType],
      ['Tamanho', `${sizeBytes.toLocaleString('pt-BR')} bytes`],
      ['Enviado em', moment(createdAt)],
    ]),
};

/** The fields of several fields of the export in one section make one list of facts. */
const sections: { title: string; fields: (keyof AccountExport)[]; onlyIfAny?: true }[] = [
  {
    title: 'Sua conta',
    fields: ['user', 'emailVerified', 'createdAt', 'lastSeenOn', 'nameFromGoogle', 'pictureFromGoogle'],
  },
  { title: 'Formas de entrar', fields: ['signInMethods'] },
  { title: 'Aparelhos em que a conta está aberta', fields: ['sessions'] },
  { title: 'Práticas guardadas', fields: ['favourites'] },
  { title: 'Diário', fields: ['diary'], onlyIfAny: true },
  { title: 'O que você autorizou para o diário', fields: ['diaryConsents'], onlyIfAny: true },
  { title: 'Quem você autorizou a ler o diário', fields: ['diaryShares'], onlyIfAny: true },
  { title: 'Quem leu o diário', fields: ['diaryReads'], onlyIfAny: true },
  { title: 'Notas para consultas', fields: ['consultationNotes'], onlyIfAny: true },
  { title: 'Práticas propostas para a sua semana', fields: ['assignments'], onlyIfAny: true },
  { title: 'Lembrete por e-mail', fields: ['reminder'], onlyIfAny: true },
  { title: 'Registro de palavras e humor', fields: ['wordMood'] },
  { title: 'Carta', fields: ['newsletter'] },
  { title: 'Convites abertos', fields: ['invitations'] },
  { title: 'Chaves de acesso', fields: ['passkeys'], onlyIfAny: true },
  { title: 'Ler diários compartilhados', fields: ['clinician'], onlyIfAny: true },
  { title: 'Trocas de e-mail', fields: ['emailChanges'], onlyIfAny: true },
  { title: 'Quem viu ou mudou os seus dados', fields: ['accessLog'] },
  { title: 'Arquivos que você enviou', fields: ['files'] },
  { title: 'Práticas que você salvou', fields: ['savedActivities'], onlyIfAny: true },
  { title: 'Práticas que você deletou', fields: ['deletedActivities'], onlyIfAny: true },
  { title: 'Versões do site que você publicou', fields: ['publishedVersions'], onlyIfAny: true },
  { title: 'Rascunhos do site que você salvou', fields: ['draftSections'], onlyIfAny: true },
  { title: 'Esta página', fields: ['exportedAt'] },
];

/** Returns everything in the account export, in words. Empty sections for editors are left out. */
export function readableExport(data: AccountExport): ReadableSection[] {
  const itemsOf = <Field extends keyof AccountExport>(field: Field) => factsOf[field](data[field]);
  return sections
    .map(({ title, fields, onlyIfAny }) => {
      const items = fields.flatMap(itemsOf);
      return { title, items: fields.length > 1 ? [items.flat()] : items, onlyIfAny };
    })
    .filter(({ items, onlyIfAny }) => !onlyIfAny || items.length > 0);
}

/** The values inside a value of unknown shape, each with the path to it: `semana › humor`. */
function leavesOf(value: unknown, path: readonly string[] = []): Facts {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      leavesOf(inner, [...path, Array.isArray(value) ? String(Number(name) + 1) : name]),
    );
  return [[path.join(' › '), textOf(value)]];
}

/** Epoch milliseconds between 2001 and 2286 become a date. */
function textOf(value: unknown): string {
  if (typeof value === 'number' && value >= 1e12 && value < 1e13) return moment(value);
  if (typeof value === 'boolean') return yesOrNo(value);
  return value === null || value === '' ? 'vazio' : String(value);
}
