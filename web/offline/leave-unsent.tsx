import { useEffect, useRef } from 'react';
import { useSession } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { MessagePage } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './leave-unsent.module.css';
import { useQueueState, useTabQueue } from './tab.ts';
import { waitingSentence } from './unsent.tsx';
import { download } from './waiting-list.tsx';

/**
 * Asks what to do with the entries that wait on this device, before a sign-out erases them.
 * @param onLeave signs out
 */
export function LeaveUnsent({ onLeave }: { onLeave: () => Promise<void> }) {
  const queue = useTabQueue();
  const present = useSession();
  // Only their author may read the entries: another user can have signed in since.
  const isOwn = present.status === 'signed-in' && present.session.user.uid === queue?.uid;
  const { waiting, end } = useQueueState(queue);
  const sending = useAction();
  const leaving = useAction();
  const isEmpty = queue !== undefined && waiting.length === 0;
  const left = useRef(false);
  useEffect(() => {
    if (!isEmpty || left.current) return;
    left.current = true;
    leaving.run(onLeave);
  });
  const refused = waiting.some((one) => one.kind === 'entry' && one.refused);
  return (
    <MessagePage lit={3}>
      <PageTitle title="Antes de sair" />
      <h1>Antes de sair</h1>
      <p className="lead" role="status">
        <span>{waitingSentence(waiting.length)}</span>{' '}
        <span>
          {waiting.length === 1
            ? 'Ela está só neste aparelho, e sair apaga tudo daqui.'
            : 'Elas estão só neste aparelho, e sair apaga tudo daqui.'}
        </span>
      </p>
      {refused && isOwn && (
        <p>
          Nem tudo foi aceito. <Link to="/diario">Ver o motivo no diário</Link>
        </p>
      )}
      <FormMessage
        message={end === 'retry' ? 'O site não respondeu. Tente de novo quando houver internet.' : ''}
      />
      <FormMessage {...leaving.failure} />
      <p className={styles.buttons}>
        {isOwn && (
          <>
            <Button
              aria-disabled={sending.pending || undefined}
              onClick={() => sending.run(async () => void (await queue?.flush()))}
            >
              {sending.pending ? 'Enviando…' : 'Enviar agora'}
            </Button>
            <Button variant="quiet" onClick={() => download(waiting)}>
              Baixar
            </Button>
          </>
        )}
        <Button
          variant="danger"
          aria-disabled={leaving.pending || undefined}
          onClick={() => leaving.run(onLeave)}
        >
          Sair e apagar deste aparelho
        </Button>
      </p>
    </MessagePage>
  );
}
