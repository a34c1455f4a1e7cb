import { Monitor, Smartphone } from 'lucide-react';
import { useRef } from 'react';
import { useRevalidator } from 'react-router';
import type { OpenSession } from '#contract/account.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime, recentDate } from '#web/components/date-and-time.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { browserName } from './browser-name.ts';
import { AccountSection } from './section.tsx';
import styles from './sessions.module.css';

/** Lists the signed-in browsers. The current one comes first; the others are sorted by last use. */
export function Sessions({ sessions }: { sessions: OpenSession[] }) {
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const revalidator = useRevalidator();
  const notify = useToast();
  const list = useRef<HTMLUListElement>(null);
  const sorted = [...sessions].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastUsedAt - a.lastUsedAt,
  );

  const endOthers = () =>
    run(async () => {
      await withSession(() => client.auth.endOtherSessions());
      await revalidator.revalidate();
      notify('Os outros aparelhos saíram da conta.');
    });

  const end = ({ id, userAgent }: OpenSession) =>
    run(async () => {
      await withSession(() => client.auth.endSession(id));
      await revalidator.revalidate();
      // The pressed button is gone, so the focus moves to the list.
      list.current?.focus();
      notify(`${browserName(userAgent)} saiu da conta.`);
    });

  return (
    <AccountSection
      title="Aparelhos"
      lead="Onde sua conta está aberta agora. Se não reconhecer algum, saia dele e troque a senha."
    >
      <ul ref={list} className={styles.list} tabIndex={-1} aria-label="Aparelhos em que a conta está aberta">
        {sorted.map((session) => (
          <Session key={session.id} session={session} onEnd={() => end(session)} />
        ))}
      </ul>
      <FormMessage {...failure} />
      {sessions.length > 1 && (
        <Button variant="quiet" aria-disabled={pending || undefined} onClick={endOthers}>
          {pending ? 'Saindo…' : 'Sair dos outros aparelhos'}
        </Button>
      )}
      {signInAgain}
    </AccountSection>
  );
}

function Session({
  session: { current, startedAt, lastUsedAt, userAgent },
  onEnd,
}: {
  session: OpenSession;
  onEnd: () => void;
}) {
  const Icon = /Mobile|Android|iPhone|iPad/.test(userAgent) ? Smartphone : Monitor;
  return (
    <li className={styles.session} data-current={current ? '' : undefined}>
      <Icon />
      <div>
        <p className={styles.name}>
          <span>{browserName(userAgent)}</span>{' '}
          {current && <span className={styles.current}>este aparelho</span>}
        </p>
        <p className={styles.times}>
          <span>{`Entrou em ${dateAndTime(startedAt)}`}</span>
          {/* The server records the last use at most once a day. */}
          {!current && <span>{`. Usado pela última vez em ${recentDate(lastUsedAt)}`}</span>}
        </p>
      </div>
      {!current && (
        <Button variant="quiet" size="small" className={styles.end} onClick={onEnd}>
          Sair<span className="visually-hidden">{` deste aparelho: ${browserName(userAgent)}`}</span>
        </Button>
      )}
    </li>
  );
}
