import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { PracticePage } from '#contract/practices/page.ts';
import { servicesContext } from '#web/app/services.ts';
import { PageNotFound } from './components/message-pages.tsx';
import { failureOf, type LoadFailure, Problem } from './components/problem.tsx';
import { DeletedPractice } from './practice/other-practices.tsx';
import { Practice } from './practice/practice.tsx';

const missing: PracticePage = { practice: null, deleted: false, others: [] };

/** Loads the practice that the URL names, or returns why it could not be loaded. */
export async function loader({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<PracticePage | { failure: LoadFailure }> {
  const { pageData, content } = context.get(servicesContext);
  try {
    await content.load('practices');
    return await pageData.practicePage(params.id ?? '', request.signal);
  } catch (error) {
    return hasCode(error, 'documents/not-found') ? missing : { failure: failureOf(error) };
  }
}

export function Component() {
  const page = useLoaderData<typeof loader>();
  if ('failure' in page) return <Problem title="Prática" {...page.failure} />;
  const { practice, deleted, others } = page;
  // The key resets the audio and video players when the page shows another practice.
  if (practice) return <Practice key={practice.id} practice={practice} others={others} />;
  return deleted ? <DeletedPractice others={others} /> : <PageNotFound />;
}
