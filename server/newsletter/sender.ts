import type { AppContext } from '../context.ts';
import type { Log } from '../http/log.ts';
import { reasonOf } from '../http/log.ts';
import { openSmtpSession, type SendOutcome, type SmtpSession } from '../mail/smtp-session.ts';
import {
  claimDelivery,
  clearProblem,
  type Delivery,
  findIssueToSend,
  noteFailed,
  noteSent,
  postponeIssue,
} from './deliveries.ts';
import { createIssueMail, type IssueMail } from './issue-mail.ts';
import { pauseIssue } from './issues.ts';

/** A kill leaves at most this many mails unsure. */
const connections = 4;
/** Mail servers limit the mails of one connection. */
const mailsPerConnection = 100;
const lookMs = 5_000;
const unreachableMs = 60_000;
/** After a 4xx response, a mail waits for this time; it doubles with each attempt, up to `longestRetryMs`. */
const firstRetryMs = 60_000;
const longestRetryMs = 6 * 60 * 60_000;
/** A connection that was told "later" waits before the next mail; this doubles up to `longestRestMs`. */
const firstRestMs = 1_000;
const longestRestMs = 5 * 60_000;

type SenderContext = Pick<
  AppContext,
  'database' | 'databaseKind' | 'environment' | 'authSecret' | 'clinicName'
>;

export type NewsletterSender = {
  /** Looks for mails to send now, instead of at the next regular time. */
  wake(): void;
  /** Begins no more mails, and resolves once those that have begun are done. */
  stop(): Promise<void>;
};

/**
 * Sends the issues of the newsletter in the background. The queue is in the database, so several servers can
 * send at once, and a server continues after a crash. A mail is marked before it is sent: nobody gets two.
 */
export function startNewsletterSender(context: SenderContext, log: Log): NewsletterSender {
  const { database } = context;
  const { smtpUrl } = context.environment;
  const stopping = new AbortController();
  let restMs = 0;
  let running: Promise<void> | undefined;

  async function run() {
    for (;;) {
      const issue = stopping.signal.aborted ? undefined : await findIssueToSend(database);
      if (!issue) return;
      const mail = await createIssueMail(context, issue);
      const counts = await Promise.all(Array.from({ length: connections }, () => sendSome(issue.id, mail)));
      // What is left waits for its time, or for another server.
      if (counts.every((sent) => sent === 0)) return;
    }
  }

  /** Sends mails over one connection at a time. @returns the number of mails that it took from the queue */
  async function sendSome(issueId: string, mail: IssueMail): Promise<number> {
    let session: SmtpSession | undefined;
    let taken = 0;
    try {
      while (!stopping.signal.aborted) {
        const delivery = await claimDelivery(database, context.databaseKind, issueId);
        if (!delivery) break;
        taken += 1;
        const opened = session ?? (smtpUrl === undefined ? undefined : await openSmtpSession(smtpUrl));
        const isClosed = opened !== undefined && !('send' in opened);
        session = isClosed ? undefined : opened;
        const outcome = isClosed ? opened : await mail.send(session, delivery);
        await note(delivery, outcome);
        if (outcome.kind !== 'sent' || taken % mailsPerConnection === 0) {
          session?.close();
          session = undefined;
        }
        if (outcome.kind === 'unreachable' || outcome.kind === 'refused') break;
        await rest(outcome);
      }
    } finally {
      session?.close();
    }
    return taken;
  }

  async function note(delivery: Delivery, outcome: SendOutcome): Promise<void> {
    const { issueId, attempts } = delivery;
    if (outcome.kind === 'sent') {
      await noteSent(database, delivery);
      if (restMs === 0) await clearProblem(database, issueId);
      return;
    }
    log.warn({ outcome: outcome.kind }, 'newsletter mail not sent');
    if (outcome.kind === 'address-refused') return noteFailed(database, delivery, { state: 'refused' });
    if (outcome.kind === 'unsure') return noteFailed(database, delivery, { state: 'unsure' });
    const { kind, reason } = outcome;
    const waitMs = kind === 'later' ? Math.min(firstRetryMs * 2 ** attempts, longestRetryMs) : 0;
    const notBefore = Date.now() + waitMs;
    // The pause comes before the mail waits again. Otherwise another connection could claim the mail.
    if (kind === 'refused')
      await pauseIssue(database, issueId, `O servidor de e-mail recusou a carta: ${reason}`);
    await noteFailed(database, delivery, {
      state: 'waiting',
      ...{ notBefore, attempts: kind === 'later' ? attempts + 1 : attempts },
    });
    if (kind === 'unreachable')
      await postponeIssue(database, issueId, {
        problem: `O servidor de e-mail não responde. O envio continua sozinho. ${reason}`,
        notBefore: Date.now() + unreachableMs,
      });
    if (kind === 'later')
      await postponeIssue(database, issueId, {
        problem: `O servidor de e-mail pediu para esperar. O envio continua sozinho. ${reason}`,
        notBefore: 0,
      });
  }

  /** Sends more slowly while the mail server says "later", and faster again with every mail that it takes. */
  async function rest({ kind }: SendOutcome): Promise<void> {
    if (kind === 'later') restMs = Math.min(Math.max(firstRestMs, restMs * 2), longestRestMs);
    else if (kind === 'sent') restMs = restMs < firstRestMs ? 0 : Math.floor(restMs / 2);
    if (restMs === 0 || stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs);
      stopping.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  function wake() {
    running ??= run()
      .catch((error: unknown) => log.error({ reason: reasonOf(error) }, 'the newsletter was not sent'))
      .finally(() => {
        running = undefined;
      });
  }

  const timer = setInterval(wake, lookMs).unref();
  wake();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
