import { hasCode } from '#client/client-error.ts';
import { fullDate } from '#contract/calendar.ts';
import type { SharedDiary } from '#contract/diary/reading.ts';
import { clockOf } from '#contract/site/clock.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Link } from '#web/components/link.tsx';
import { EmptyState } from './page-parts.tsx';
import styles from './shared-diary.module.css';

/** Why the signed-in admin reads nothing: no clinician or no share, or a session that is not strong. */
export type NoReading = 'nothing' | 'weak';

/** Replaces the refusals of the server by their reason. */
export async function orNoReading<T>(reading: Promise<T>): Promise<T | NoReading> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'documents/not-found')) return 'nothing';
    if (hasCode(error, 'auth/strong-session-required')) return 'weak';
    throw error;
  }
}

/** Says how to begin a session that may read diaries. */
export function WeakSession() {
  return (
    <div className={styles.weak}>
      <EmptyState>
        Para ler diários, é preciso ter entrado com a verificação em duas etapas ou com uma chave de acesso.
      </EmptyState>
      <p className={styles.weakActions}>
        <ButtonLink to="/logout">Sair e entrar de novo</ButtonLink>
        <Link to="/account">Ver a minha conta</Link>
      </p>
    </div>
  );
}

/** What a patient shows now, and whether the clinician has proposed something: one sentence each. */
export function Grants({ diary: { shares, showsNote, hasAssignments } }: { diary: SharedDiary }) {
  return (
    <ul className={styles.grants}>
      {shares.map((scope) => (
        <li key={JSON.stringify(scope)}>{sentenceOf(scope)}</li>
      ))}
      {showsNote && <li>Uma nota para a consulta, aberta até o dia seguinte.</li>}
      {hasAssignments && <li>Práticas que você propôs.</li>}
    </ul>
  );
}

function sentenceOf({ from, to, entryId, notes, practices, expiresAt }: SharedDiary['shares'][number]) {
  const days = entryId
    ? `Uma anotação de ${fullDate(from)}`
    : from === to
      ? fullDate(from)
      : `De ${fullDate(from)} a ${fullDate(to)}`;
  const parts = [
    'palavras e intensidade',
    ...(notes ? ['notas'] : []),
    ...(practices ? ['práticas e passos'] : []),
  ];
  // The patient read this day in the consent, in Brasília's time.
  const end = fullDate(clockOf('America/Sao_Paulo', new Date(expiresAt)).date);
  return `${days}: ${parts.join(', ')}. Termina em ${end}.`;
}
