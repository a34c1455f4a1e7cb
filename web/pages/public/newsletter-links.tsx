import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { loadClient } from '#web/app/api.ts';
import { useServices } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { MessagePage } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';

/**
 * The page of a link in a newsletter email. The link's token is in the URL's fragment, which browsers do not
 * send to servers.
 * The page waits for a click, because some mail programs open links automatically.
 */
function NewsletterLinkPage({
  title,
  question,
  action,
  done,
  send,
}: {
  title: string;
  question: string;
  action: string;
  done: ReactNode;
  send: (token: string) => Promise<void>;
}) {
  const token = useLocation().hash.slice(1);
  const { pending, failure, run } = useAction();
  const [state, setState] = useState<'asking' | 'done' | 'ended'>('asking');
  const { newsletter } = useServices().content.menu;
  const confirmation = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    loadClient().catch(() => {});
  }, []);
  useEffect(() => {
    // The page has removed the pressed button, so move the focus to the confirmation or the heading.
    if (state === 'done') confirmation.current?.focus();
    if (state === 'ended') heading.current?.focus();
  }, [state]);

  const press = () =>
    run(async () => {
      try {
        await send(token);
        setState('done');
      } catch (error) {
        if (hasCode(error, 'auth/invalid-link')) setState('ended');
        throw error;
      }
    });

  return (
    <MessagePage lit={state === 'done' ? 6 : 1}>
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {state === 'done' ? (
        <>
          <p ref={confirmation} tabIndex={-1} role="status" className="lead">
            {done}
          </p>
          <ButtonLink to="/" variant="quiet">
            Voltar ao início
          </ButtonLink>
        </>
      ) : (
        <>
          {state !== 'ended' && (
            <p className="lead">
              {token === ''
                ? 'O link veio incompleto. Copie o endereço inteiro que está na mensagem.'
                : question}
            </p>
          )}
          <FormMessage {...failure} />
          {state === 'ended' || token === '' ? (
            <ButtonLink to={newsletter ? '/#carta' : '/'} variant="quiet">
              {newsletter ? 'Ver o formulário da carta' : 'Voltar ao início'}
            </ButtonLink>
          ) : (
            <Button aria-disabled={pending || undefined} onClick={press}>
              {pending ? 'Um momento…' : action}
            </Button>
          )}
        </>
      )}
    </MessagePage>
  );
}

/** The page that the link for confirming a newsletter subscription opens. */
export function Confirmation() {
  return (
    <NewsletterLinkPage
      title="Confirmar a carta"
      question="Falta só confirmar que você quer receber a nossa carta por e-mail, uma vez por mês."
      action="Quero receber a carta"
      done="Pronto. A próxima carta vai para a sua caixa de entrada. Para sair, use o link no fim de cada uma."
      send={async (token) => (await loadClient()).documents.confirmNewsletter(token)}
    />
  );
}

const leaving = {
  title: 'Sair da carta',
  question: 'Ao sair, o seu e-mail é apagado da nossa lista na hora.',
  done: 'Pronto. O seu e-mail foi apagado da lista, e nenhuma carta será enviada.',
};

const reminderLeaving = {
  title: 'Desligar o lembrete',
  question: 'Depois disso, nenhum lembrete chega mais por e-mail.',
  done: 'Pronto. O lembrete está desligado. Você pode ligá-lo de novo quando quiser.',
};

/**
 * The page that the link for ending a newsletter subscription opens. Links of earlier mails have the token in
 * the fragment.
 */
export function Leaving() {
  const { token } = useParams();
  if (token !== undefined) return <LeavingByForm token={token} />;
  return (
    <NewsletterLinkPage
      {...leaving}
      action={leaving.title}
      send={async (secret) => (await loadClient()).documents.leaveNewsletter(secret)}
    />
  );
}

/** The page of the link in a reminder that turns it off. */
export function ReminderLeaving() {
  const { token = '' } = useParams();
  return <FormOfLink token={token} {...reminderLeaving} back={{ to: '/', words: 'Voltar ao início' }} />;
}

function LeavingByForm({ token }: { token: string }) {
  const { newsletter } = useServices().content.menu;
  const back =
    token === 'invalido' && newsletter
      ? { to: '/#carta', words: 'Ver o formulário da carta' }
      : { to: '/', words: 'Voltar ao início' };
  return <FormOfLink token={token} {...leaving} back={back} />;
}

/** A form that works without JavaScript. After it was sent, the last part of the path says what happened. */
function FormOfLink({
  token,
  title,
  question,
  done,
  back,
}: {
  token: string;
  title: string;
  question: string;
  done: string;
  back: { to: string; words: string };
}) {
  const isDone = token === 'feito';
  const isOver = token === 'invalido';
  return (
    <MessagePage lit={isDone ? 6 : 1}>
      <PageTitle title={title} />
      <h1>{title}</h1>
      <p className="lead">
        {isDone ? done : isOver ? 'Este link não vale mais, ou veio incompleto.' : question}
      </p>
      {isDone || isOver ? (
        <ButtonLink to={back.to} variant="quiet">
          {back.words}
        </ButtonLink>
      ) : (
        <form method="post">
          <Button type="submit">{title}</Button>
        </form>
      )}
    </MessagePage>
  );
}
