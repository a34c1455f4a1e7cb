import { useEffect, useRef } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { fieldsWithDefault } from '#contract/site/complete.ts';
import type { SiteContent } from '#contract/site/content.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { EmptyState } from './components/empty-state.tsx';
import { Differences } from './components/site/differences.tsx';
import { DraftProblems, problemsTitleId } from './components/site/draft-problems.tsx';
import { PublishForm } from './components/site/publish-form.tsx';
import styles from './site-publish.module.css';

export function loader({ context, request }: LoaderFunctionArgs) {
  const { site } = context.get(servicesContext).client;
  async function read() {
    const draft = await site.getDraft(request.signal);
    return { draft, published: await site.getContent(draft.version, fieldsWithDefault) };
  }
  return { comparison: deferred(read()) };
}

/** Shows what a publication would change, and either what prevents it or the form that publishes. */
export function Component() {
  const { comparison } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle title="Publicar" />
      <h1>Publicar</h1>
      <Deferred value={comparison} skeleton={<SkeletonBar width="full" />}>
        {({ draft, published }) => <Publication draft={draft} published={published} />}
      </Deferred>
    </>
  );
}

function Publication({ draft, published }: { draft: SiteDraft; published: SiteContent }) {
  const after = Object.fromEntries(
    draft.sections.map(({ section, content }) => [section, content]),
  ) as SiteContent;
  const blocked = draft.sections.some(({ problems }) => problems.length > 0);
  const wasBlocked = useRef(blocked);
  useEffect(() => {
    // After a refused publication, the list of problems replaces the form, which had the focus.
    if (blocked && !wasBlocked.current) document.getElementById(problemsTitleId)?.focus();
    wasBlocked.current = blocked;
  }, [blocked]);
  if (draft.sections.every(({ changed }) => !changed)) {
    return (
      <>
        <EmptyState>O site já mostra tudo o que foi escrito.</EmptyState>
        <p>
          <ButtonLink to="/admin/site">Voltar ao site</ButtonLink>
        </p>
      </>
    );
  }
  return (
    <div className={styles.publication}>
      {blocked && <DraftProblems draft={draft} />}
      <section className={styles.changes} aria-labelledby="mudancas">
        <h2 id="mudancas">O que muda</h2>
        <Differences before={published} after={after} />
      </section>
      {!blocked && <PublishForm draft={draft} />}
    </div>
  );
}
