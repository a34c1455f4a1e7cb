import { useSession } from '#web/app/services.ts';
import { dayAndWeekday } from '#web/components/date-and-time.ts';
import { Link } from '#web/components/link.tsx';
import { useQueueState, useTabQueue } from './tab.ts';
import { signInSentence } from './unsent.tsx';

/** Says where an entry is that the patient has just saved: on this device, on its way, or in the diary. */
export function SentState({ id, day }: { id: string; day: string }) {
  const queue = useTabQueue();
  const { waiting, sending } = useQueueState(queue);
  const signedOut = useSession().status === 'signed-out';
  const one = waiting.find((each) => each.id === id);
  const refused = one?.kind === 'entry' ? one.refused : undefined;
  if (!queue) return null;
  return (
    <p role="status">
      {!one && <span>{`Enviado. Está no seu diário: ${dayAndWeekday(day)}.`}</span>}
      {one && sending.includes(id) && <span>Guardado neste aparelho. Enviando…</span>}
      {refused && (
        <span>
          <span>{`Guardado neste aparelho, mas não foi aceito: ${refused.message}`}</span>{' '}
          <Link to={`/diario/novo?id=${id}`}>Corrigir</Link>
        </span>
      )}
      {one && !refused && !sending.includes(id) && (
        <span>
          <span>Guardado neste aparelho. Vai para o seu diário assim que chegar ao site.</span>{' '}
          {signedOut && <Link to="/login?para=diario">{signInSentence(waiting.length)}</Link>}
        </span>
      )}
    </p>
  );
}
