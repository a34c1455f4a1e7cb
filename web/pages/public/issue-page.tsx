import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { fullDate } from '#contract/calendar.ts';
import type { PublicIssue } from '#contract/newsletter.ts';
import { descriptionOf } from '#contract/practices/excerpt.ts';
import { servicesContext, useServices } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { PageNotFound } from './components/message-pages.tsx';
import { failureOf, type LoadFailure, Problem } from './components/problem.tsx';
import styles from './issue-page.module.css';

/** Loads the issue that the URL names, or returns why it could not be loaded. */
export async function loader({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<PublicIssue | { failure: LoadFailure | 'missing' }> {
  const { pageData } = context.get(servicesContext);
  try {
    return await pageData.issue(params.id ?? '', request.signal);
  } catch (error) {
    return { failure: hasCode(error, 'documents/not-found') ? 'missing' : failureOf(error) };
  }
}

/** The public page of an issue of the newsletter. */
export function Component() {
  const issue = useLoaderData<typeof loader>();
  const { newsletter } = useServices().content.menu;
  if ('failure' in issue) {
    const { failure } = issue;
    return failure === 'missing' ? <PageNotFound /> : <Problem title="Carta" {...failure} />;
  }
  const { id, subject, text, day, indexed } = issue;
  return (
    <article className={styles.issue}>
      <PageTitle
        title={subject}
        description={descriptionOf(text)}
        {...(indexed && { path: `/carta/${id}` })}
      />
      <header className={styles.head}>
        <p className={styles.day}>{`Carta de ${fullDate(day)}`}</p>
        <h1 className="page-title">{subject}</h1>
      </header>
      <PlainText text={text} className={styles.text} />
      <p>
        <ButtonLink to={newsletter ? '/#carta' : '/'} variant="quiet">
          {newsletter ? 'Receber a carta por e-mail' : 'Conhecer a clínica'}
        </ButtonLink>
      </p>
    </article>
  );
}
