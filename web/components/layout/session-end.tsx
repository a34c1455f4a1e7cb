import { useEffect, useState } from 'react';
import { useServices, useSession } from '#web/app/services.ts';
import type { SignedIn } from '#web/app/session.ts';
import { Button, ButtonLink } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { FormMessage } from '../notice.tsx';
import { useToast } from '../toast.tsx';
import { useAction } from '../use-action.ts';
import styles from './messages.module.css';
import { durationText, useNow } from './session-timer.tsx';

/** The time between the warning and the end: enough to finish a sentence, find the button and press it. */
const warningMs = 5 * 60_000;

/**
 * Warns a signed-in user before the session ends, offers to extend it, and reports when it has ended. Also
 * watches for a page that the browser restores, because visitors do not load this code.
 */
export function SessionEnd() {
  const present = useSession();
  useEffect(reloadRestoredPage, []);
  if (present.status !== 'signed-in') return null;
  return <Watch key={present.session.expiresAt} present={present} />;
}

function Watch({ present }: { present: SignedIn }) {
  const { session } = useServices();
  const notify = useToast();
  const left = present.session.expiresAt - useNow();
  const over = left <= 0;
  const [closed, setClosed] = useState(false);

  useEffect(() => {
    if (!over) return;
    session.refresh().then(
      ({ status }) => {
        if (status === 'signed-out')
          notify('Sua sessão terminou. Entre de novo quando quiser continuar.', { plain: true });
      },
      // Without a connection, the state of the session is unknown until the next call to the server.
      () => {},
    );
  }, [over, session, notify]);

  if (over || left > warningMs || closed) return null;
  return <Warning left={left} onClose={() => setClosed(true)} />;
}

/** The warning dialog. It disappears if the server extends the session. If not, it tells the user to save. */
function Warning({ left, onClose }: { left: number; onClose: () => void }) {
  const { session } = useServices();
  const { pending, failure, run } = useAction();
  /** True if the server does not extend the session any more. */
  const [final, setFinal] = useState(false);

  const extend = () =>
    run(async () => {
      await session.refresh();
      setFinal(true);
    });

  return (
    <Dialog title="Sua sessão está perto do fim" size="narrow" onClose={final ? onClose : extend}>
      <div className={styles.warning}>
        <p>
          Por segurança, ela termina em <span role="timer">{durationText(left)}</span>.{' '}
          <span>
            {final
              ? 'Não dá para estender mais: salve o que estiver fazendo e entre de novo depois.'
              : 'Quer continuar nesta conta?'}
          </span>
        </p>
        <FormMessage {...failure} />
        <div className={styles.sessionEndActions}>
          {final ? (
            <Button onClick={onClose}>Entendi</Button>
          ) : (
            <Button aria-disabled={pending || undefined} onClick={extend}>
              {pending ? 'Um momento…' : 'Continuar'}
            </Button>
          )}
          <ButtonLink to="/logout" variant="quiet">
            Sair agora
          </ButtonLink>
        </div>
      </div>
    </Dialog>
  );
}

let isWatching = false;

/**
 * Reloads this page if the browser restores it from its back/forward cache, because another user may use the
 * device by then. The page is hidden when the user leaves it, so that the restored page never appears. Call
 * this when a user is signed in; further calls change nothing.
 */
function reloadRestoredPage() {
  if (isWatching) return;
  isWatching = true;
  const page = document.documentElement;
  window.addEventListener('pagehide', ({ persisted }) => {
    page.hidden = persisted;
  });
  window.addEventListener('pageshow', () => {
    if (page.hidden) window.location.reload();
  });
}
