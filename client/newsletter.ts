import {
  type Issue,
  type IssueDetails,
  type IssueInput,
  type IssueList,
  issueDetails,
  issueList,
} from '#contract/newsletter.ts';
import { paths } from '#contract/paths.ts';
import { readJson, type Send } from './http.ts';

/** Creates the client of the newsletter's issues. Admin only. */
export function createIssuesClient(send: Send) {
  const details = async (sent: Promise<Response>): Promise<IssueDetails> =>
    issueDetails.parse(await readJson(sent));
  const tagOf = ({ revision }: Pick<Issue, 'revision'>) => ({ 'if-match': `"${revision}"` });

  return {
    async list(signal?: AbortSignal): Promise<IssueList> {
      return issueList.parse(await readJson(send(paths.documents.issues, { signal })));
    },
    read: (id: string, signal?: AbortSignal) => details(send(paths.documents.issue(id), { signal })),
    create: (body: IssueInput) => details(send(paths.documents.issues, { method: 'POST', body })),

    /**
     * Changes a draft, or only `indexed` of an issue that was sent.
     * @throws ClientError `documents/precondition-failed` with the current issue; `newsletter/already-sent`
     */
    change: (seen: Issue, body: IssueInput) =>
      details(send(paths.documents.issue(seen.id), { method: 'PUT', body, headers: tagOf(seen) })),

    /** Deletes a draft. */
    async remove(id: string): Promise<void> {
      await send(paths.documents.issue(id), { method: 'DELETE' });
    },

    /** Sends the issue to the signed-in admin only. @throws ClientError `documents/precondition-failed` */
    async test(seen: Issue): Promise<void> {
      await send(paths.documents.issueTask(seen.id, 'test'), { method: 'POST', headers: tagOf(seen) });
    },

    /**
     * Begins to send the issue to all subscribers.
     * @throws ClientError `documents/precondition-failed`, `newsletter/no-subscribers`
     */
    send: (seen: Issue) =>
      details(send(paths.documents.issueTask(seen.id, 'send'), { method: 'POST', headers: tagOf(seen) })),
    pause: (id: string) => details(send(paths.documents.issueTask(id, 'pause'), { method: 'POST' })),
    resume: (id: string) => details(send(paths.documents.issueTask(id, 'resume'), { method: 'POST' })),
  };
}
