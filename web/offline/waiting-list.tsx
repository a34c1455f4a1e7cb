import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useSession } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { dayAndWeekday } from '#web/components/date-and-time.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { EntryText } from '#web/components/diary/entry-text.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { deletedElsewhere, fileOf, type Waiting } from './queue-items.ts';
import { type QueueState, type TabQueue, useQueueState, useTabQueue } from './tab.ts';
import { signInSentence } from './unsent.tsx';
import styles from './waiting-list.module.css';

/**
 * What waits on this device to be sent.
 * @param titles the titles of practices by id
 * @param left `left` of the queue's state before the page was loaded
 */
export function WaitingList({ titles, left }: { titles: Record<string, string>; left: number }) {
  const queue = useTabQueue();
  const state = useQueueState(queue);
  const present = useSession();
  const { revalidate } = useRevalidator();
  const { waiting, end } = state;
  const [asked, setAsked] = useState<Waiting>();
  const { run, pending, failure } = useAction();
  const section = useRef<HTMLElement>(null);

  const count = waiting.length;
  // What has arrived appears in the diary, once all is sent. While the page loads, more can arrive.
  const isOld = queue !== undefined && state.sending.length === 0 && state.left !== left;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` changes when the page has loaded.
  useEffect(() => {
    if (isOld) void revalidate();
  }, [isOld, left, revalidate]);

  if (!queue || count === 0) return null;
  const signedOut = present.status === 'signed-out';
  const discard = (one: Waiting) =>
    run(async () => {
      await queue.discard(one);
      setAsked(undefined);
      section.current?.focus();
      await queue.flush();
    });

  return (
    <section ref={section} className={styles.waiting} aria-labelledby="esperando" tabIndex={-1}>
      <h2 id="esperando">Só neste aparelho, por enquanto</h2>
      <p className={styles.lead}>
        {signedOut ? (
          <Link to="/login?para=diario">{signInSentence(count)}</Link>
        ) : (
          <span>{leadOf(end, waiting)}</span>
        )}
      </p>
      <ul>
        {waiting.map((one) => (
          <li key={one.id}>
            <p className={styles.state}>
              <strong>{stateOf(one, state)}</strong>
              {one.kind === 'entry' && <span>{dayAndWeekday(one.entry.day)}</span>}
            </p>
            <Content one={one} titles={titles} />
            {one.kind === 'entry' && one.refused && <p className={styles.reason}>{one.refused.message}</p>}
            <Actions
              {...{ one, queue }}
              isSending={state.sending.includes(one.id)}
              onDiscard={() => (one.kind === 'deletion' ? discard(one) : setAsked(one))}
            />
          </li>
        ))}
      </ul>
      <FormMessage {...failure} />
      <p className={styles.buttons}>
        <Button size="small" aria-disabled={pending || undefined} onClick={() => void queue.flush()}>
          Enviar agora
        </Button>
        <Button variant="quiet" size="small" onClick={() => download(waiting)}>
          Baixar
        </Button>
      </p>
      {asked && (
        <Dialog
          title={asked.kind === 'entry' && !asked.isNew ? 'Desfazer esta mudança?' : 'Apagar esta anotação?'}
          size="narrow"
          onClose={() => setAsked(undefined)}
          footer={
            <>
              <Button variant="danger" aria-disabled={pending || undefined} onClick={() => discard(asked)}>
                {asked.kind === 'entry' && !asked.isNew ? 'Desfazer' : 'Apagar'}
              </Button>
              <Button onClick={() => setAsked(undefined)}>Manter</Button>
            </>
          }
        >
          <p>
            {asked.kind === 'entry' && !asked.isNew
              ? 'O que você mudou neste aparelho se perde. A anotação que já está no diário continua lá.'
              : 'Ela está só neste aparelho. Depois, ninguém pode trazê-la de volta.'}
          </p>
        </Dialog>
      )}
    </section>
  );
}

function Content({ one, titles }: { one: Waiting; titles: Record<string, string> }) {
  if (one.kind === 'entry') return <EntryText entry={one.entry} titles={titles} />;
  return (
    <p>
      {one.kind === 'deletion'
        ? 'Uma anotação que você apagou. Ela sai do diário quando este pedido chegar.'
        : 'Esta anotação não pôde ser aberta. Ela ficou danificada.'}
    </p>
  );
}

function Actions({
  one,
  queue,
  isSending,
  onDiscard,
}: {
  one: Waiting;
  queue: TabQueue;
  isSending: boolean;
  onDiscard: () => void;
}) {
  if (isSending) return null;
  const of = one.kind === 'entry' ? ` a anotação de ${dayAndWeekday(one.entry.day)}` : '';
  const isLost = one.kind === 'entry' && one.refused?.code === deletedElsewhere;
  const retry = async () => {
    if (one.kind === 'entry') await queue.retry(one);
    await queue.flush();
  };
  return (
    <p className={styles.actions}>
      {one.kind === 'entry' && (
        <Link to={`/diario/novo?id=${one.id}`}>
          <span>{isLost ? 'Guardar como nova' : 'Corrigir'}</span>
          <span className="visually-hidden">{of}</span>
        </Link>
      )}
      {one.kind === 'entry' && one.refused && !isLost && (
        <button type="button" onClick={() => void retry()}>
          Tentar de novo<span className="visually-hidden">{of}</span>
        </button>
      )}
      <button type="button" onClick={onDiscard}>
        <span>{discardName(one)}</span>
        <span className="visually-hidden">{of}</span>
      </button>
    </p>
  );
}

function discardName(one: Waiting) {
  if (one.kind === 'deletion') return 'Manter a anotação';
  return one.kind === 'entry' && !one.isNew ? 'Desfazer a mudança' : 'Apagar';
}

function stateOf(one: Waiting, { sending }: QueueState) {
  if (one.kind === 'unreadable') return 'Danificada';
  if (one.kind === 'entry' && one.refused) return 'Não foi aceita';
  return sending.includes(one.id) ? 'Enviando…' : 'Na fila';
}

function leadOf(end: QueueState['end'], waiting: readonly Waiting[]) {
  if (waiting.every((one) => one.kind === 'entry' && one.refused))
    return 'O site não aceitou. Está guardado e cifrado aqui, até você corrigir.';
  if (end === 'retry') return 'O site não respondeu. Vai sozinho assim que a conexão voltar.';
  return 'Guardado e cifrado aqui. Vai para o seu diário assim que chegar ao site.';
}

/** Saves what waits as a file of the diary, which /diario/copias can bring back. */
export function download(waiting: readonly Waiting[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(fileOf(waiting), null, 2)], { type: 'application/json' }),
  );
  link.download = 'diario-por-enviar.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
