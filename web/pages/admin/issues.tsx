import { Download, Plus } from 'lucide-react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { IssueList } from '#contract/newsletter.ts';
import { paths } from '#contract/paths.ts';
import { client } from '#web/app/client.ts';
import { ButtonAnchor, ButtonLink } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { counted } from '#web/components/whole-number.ts';
import { EmptyState, TitleBar } from './components/page-parts.tsx';
import styles from './issues.module.css';

export function loader({ request }: LoaderFunctionArgs) {
  return { list: deferred(client.issues().then((issues) => issues.list(request.signal))) };
}

/** The issues of the newsletter: drafts, and the archive of what was sent. */
export function Component() {
  const { list } = useLoaderData<typeof loader>();
  return (
    <section className={styles.page}>
      <PageTitle title="Carta" />
      <TitleBar>
        <h1>Carta</h1>
        <ButtonLink to="/admin/carta/nova" size="small">
          <Plus aria-hidden="true" /> Nova carta
        </ButtonLink>
        <ButtonAnchor href={paths.documents.newsletterCsv} download variant="quiet" size="small">
          <Download aria-hidden="true" /> Exportar assinantes (CSV)
        </ButtonAnchor>
      </TitleBar>
      <Deferred value={list} skeleton={<SkeletonBar width="full" />}>
        {(loaded) => <Issues {...loaded} />}
      </Deferred>
    </section>
  );
}

function Issues({ issues, subscribers }: IssueList) {
  return (
    <>
      <p className="lead">
        {subscribers === 0
          ? 'Ninguém confirmou a assinatura da carta ainda. Você já pode escrever a primeira.'
          : `${counted(subscribers, 'pessoa pediu e confirmou', 'pessoas pediram e confirmaram')} a carta.`}
      </p>
      {issues.length === 0 ? (
        <EmptyState>Nenhuma carta foi escrita ainda.</EmptyState>
      ) : (
        <ul className={styles.issues}>
          {issues.map((issue) => (
            <li key={issue.id} className={styles.issue}>
              <Link to={`/admin/carta/${issue.id}`}>{issue.subject}</Link>
              <p>{stateOf(issue)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function stateOf({ state, updatedAt, startedAt, progress }: IssueList['issues'][number]): string {
  const { sent, recipients } = progress;
  if (state === 'draft') return `Rascunho de ${dateAndTime(updatedAt)}`;
  const done = `${sent} de ${counted(recipients, 'pessoa', 'pessoas')}`;
  if (state === 'sending') return `Sendo enviada: ${done}`;
  if (state === 'paused') return `Parada: ${done}`;
  return `Enviada em ${dateAndTime(startedAt ?? updatedAt)} para ${done}`;
}
