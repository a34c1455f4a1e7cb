import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { IssueDetails } from '#contract/newsletter.ts';
import { client } from '#web/app/client.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { EmptyState } from './components/page-parts.tsx';
import { IssueEditor } from './issue/issue-editor.tsx';
import { IssueProgress } from './issue/issue-progress.tsx';

/** The last part of the path of a new issue. */
const newIssue = 'nova';

export function loader({ params, request }: LoaderFunctionArgs) {
  const { id = '' } = params;
  return { id, issue: id === newIssue ? Promise.resolve(undefined) : deferred(read(id, request.signal)) };
}

/** @returns null if there is no such issue */
async function read(id: string, signal: AbortSignal): Promise<IssueDetails | null> {
  const issues = await client.issues();
  return issues.read(id, signal).catch((error: unknown) => {
    if (hasCode(error, 'documents/not-found')) return null;
    throw error;
  });
}

/** One issue of the newsletter: the editor of a draft, or the progress of what is sent. */
export function Component() {
  const { id, issue } = useLoaderData<typeof loader>();
  return (
    <Deferred key={id} value={issue} skeleton={<SkeletonBar width="full" />}>
      {(loaded) => (loaded === null ? <Missing /> : <Issue first={loaded} />)}
    </Deferred>
  );
}

function Issue({ first }: { first: IssueDetails | undefined }) {
  const [issue, setIssue] = useState(first);
  const title = !issue ? 'Nova carta' : issue.state === 'draft' ? 'Carta em rascunho' : issue.subject;
  return (
    <>
      <PageTitle title={title} />
      <h1>{title}</h1>
      {issue && issue.state !== 'draft' ? (
        <IssueProgress issue={issue} onChange={setIssue} />
      ) : (
        <IssueEditor saved={issue} onChange={setIssue} />
      )}
    </>
  );
}

function Missing() {
  return (
    <>
      <PageTitle title="Carta" />
      <h1>Carta</h1>
      <EmptyState>Esta carta não está mais aqui. Alguém pode ter deletado.</EmptyState>
    </>
  );
}
