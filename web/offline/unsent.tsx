import { useEffect, useState } from 'react';
import { useServices, useSession } from '#web/app/services.ts';
import { Link } from '#web/components/link.tsx';
import { startQueue, useQueueState, useTabQueue } from './tab.ts';
import styles from './unsent.module.css';

/** An entry that is sent at once does not move the page. */
const graceMs = 1_500;

/** Says in every page how many entries wait on this device. Starts the queue. */
export function Unsent() {
  const services = useServices();
  const present = useSession();
  const queue = useTabQueue();
  const { waiting, end } = useQueueState(queue);
  useEffect(() => startQueue(services), [services]);
  const count = waiting.length;
  const refused = waiting.filter((one) => one.kind === 'entry' && one.refused).length;
  const isLate = useLate(count > 0);
  const isOther = present.status === 'signed-in' && present.session.user.uid !== queue?.uid;
  const isShown = count > 0 && !isOther && present.status !== 'loading' && (isLate || end !== 'done');
  const signedOut = present.status === 'signed-out';
  return (
    <div role="status">
      {isShown && (
        <p className={styles.unsent}>
          <Link to={signedOut ? '/login?para=diario' : '/diario'}>
            <span>{signedOut ? signInSentence(count) : waitingSentence(count, refused)}</span>
          </Link>
        </p>
      )}
    </div>
  );
}

export function waitingSentence(count: number, refused = 0): string {
  const needs = (number: number) =>
    number === 1 ? '1 anotação precisa de você.' : `${number} anotações precisam de você.`;
  if (refused > 0 && refused === count) return needs(count);
  const waits =
    count === 1 ? '1 anotação espera para ser enviada.' : `${count} anotações esperam para ser enviadas.`;
  return refused > 0 ? `${waits} ${refused === 1 ? 'Uma precisa' : `${refused} precisam`} de você.` : waits;
}

export const signInSentence = (count: number) =>
  count === 1 ? 'Entre para enviar 1 anotação.' : `Entre para enviar ${count} anotações.`;

/** Returns true once something has been true for a while. */
function useLate(is: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!is) return;
    const timer = setTimeout(() => setLate(true), graceMs);
    return () => clearTimeout(timer);
  }, [is]);
  return late;
}
