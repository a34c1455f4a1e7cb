import * as z from 'zod/mini';
import { limits } from '../limits.ts';

/** What the page says before a diary begins, and what the user agrees to (LGPD, art. 8 and 11, I). */
export const diaryConsentWords = {
  facts: [
    {
      title: 'O que fica guardado',
      text: 'Os dias e as horas, as palavras, a intensidade, as notas, as práticas e os passos que você escrever, e as suas notas para consultas. São dados sobre a sua saúde.',
    },
    { title: 'Para quê', text: 'Para você acompanhar como está e, se quiser, mostrar em uma consulta.' },
    {
      title: 'Quem pode ler',
      text: 'Só você, até que você compartilhe com alguém da clínica, pelo tempo que escolher.',
    },
    {
      title: 'Como fica protegido',
      text: 'O diário é guardado com criptografia. O servidor consegue abri-lo, para mostrar a você e a quem você permitir. Quem administra o servidor também teria como abri-lo, mas nenhuma página do site mostra o seu diário a mais ninguém.',
    },
    {
      title: 'Como apagar',
      text: `Você apaga uma anotação, ou o diário inteiro, quando quiser. Apagar o diário inteiro retira a sua autorização. As cópias de segurança podem conter o que foi apagado por até ${limits.backupMaxDays} dias.`,
    },
  ],
  danger: 'Ninguém acompanha este diário em tempo real. Em perigo, ligue 188 (CVV) ou 192 (SAMU).',
  adult: 'Tenho 18 anos ou mais.',
  agreement:
    'Autorizo a clínica deste site a guardar o meu diário, que contém dados sobre a minha saúde, como está escrito acima.',
} as const;

const { facts, danger, adult, agreement } = diaryConsentWords;

/**
 * The words as the server keeps them. Change the version together with the words, because the server keeps
 * which words each user has agreed to.
 */
export const diaryTerms = {
  version: '2026-11-27',
  text: [...facts.map(({ title, text }) => `${title}: ${text}`), ...[danger, adult, agreement]].join('\n'),
} as const;

const changed = 'Este texto mudou. Carregue a página de novo e leia o texto novo.';

/** A consent that the user gives. `text` is what the page showed. */
export const newDiaryConsent = z.strictObject({
  version: z.literal(diaryTerms.version, changed),
  text: z.literal(diaryTerms.text, changed),
});
export type NewDiaryConsent = z.infer<typeof newDiaryConsent>;

/** A consent as the server keeps it. Times are epoch milliseconds. */
export const diaryConsent = z.object({
  version: z.string(),
  text: z.string(),
  /** SHA-256 of `text`, in hexadecimal. */
  digest: z.string(),
  givenAt: z.number(),
  /** Set when the user deleted the whole diary. */
  withdrawnAt: z.nullable(z.number()),
});
export type DiaryConsent = z.infer<typeof diaryConsent>;

/** The valid consent of the user; null before the first one, and after a withdrawal. */
export const currentDiaryConsent = z.object({ consent: z.nullable(diaryConsent) });
