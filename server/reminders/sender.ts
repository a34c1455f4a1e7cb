import { reminderLeavePath } from '#contract/reminder.ts';
import type { AppContext } from '../context.ts';
import type { Log } from '../http/log.ts';
import { reasonOf } from '../http/log.ts';
import { writeToOutbox } from '../mail/mailer.ts';
import { reminderMail } from '../mail/messages.ts';
import { openSmtpSession, type SendOutcome, type SmtpSession } from '../mail/smtp-session.ts';
import { type DueReminder, noteSent, putBack, stopRefused, takeDueReminder } from './due-reminders.ts';
import { createLeaveTokens } from './reminders.ts';

const connections = 4;
/** Mail servers limit the mails of one connection. */
const mailsPerConnection = 100;
const lookMs = 5_000;
/** After a failure that is not about one address, nothing is sent for this time. */
const restMs = 60_000;

type SenderContext = Pick<AppContext, 'database' | 'databaseKind' | 'environment' | 'authSecret' | 'mailer'>;

/**
 * Sends the reminders in the background, at most one a day to each user. Several servers can send at once.
 * @returns a function that begins no more mails, and resolves once those that have begun are done
 */
export function startReminderSender(context: SenderContext, log: Log): () => Promise<void> {
  const { database } = context;
  const { smtpUrl, dataDir, publicUrl } = context.environment;
  const tokens = createLeaveTokens(context.authSecret);
  let isStopping = false;
  let restUntil = 0;
  let running: Promise<unknown> | undefined;

  /** Sends mails over one connection at a time, until no reminder is due. */
  async function sendSome(): Promise<void> {
    let session: SmtpSession | undefined;
    let taken = 0;
    try {
      while (!isStopping && Date.now() >= restUntil) {
        const due = await takeDueReminder(context);
        if (!due) break;
        if (!due.mail) continue;
        taken += 1;
        const opened = session ?? (smtpUrl === undefined ? undefined : await openSmtpSession(smtpUrl));
        const isClosed = opened !== undefined && !('send' in opened);
        session = isClosed ? undefined : opened;
        const outcome = isClosed ? opened : await send(session, due, due.mail);
        await note(due, outcome);
        if (outcome.kind !== 'sent' || taken % mailsPerConnection === 0) {
          session?.close();
          session = undefined;
        }
      }
    } finally {
      session?.close();
    }
  }

  async function send(
    session: SmtpSession | undefined,
    { uid, email }: DueReminder,
    kind: 'reminder' | 'stopped',
  ): Promise<SendOutcome> {
    const leaveLink = publicUrl + reminderLeavePath(tokens.write(uid));
    const { from, message } = await context.mailer.compose(
      reminderMail(kind, { email, publicUrl, leaveLink }),
    );
    if (session) return session.send({ from, to: email }, message);
    await writeToOutbox(dataDir, message);
    return { kind: 'sent' };
  }

  async function note(due: DueReminder, outcome: SendOutcome): Promise<void> {
    if (outcome.kind === 'sent') {
      if (due.mail === 'reminder') await noteSent(database, due);
      return;
    }
    log.warn({ outcome: outcome.kind }, 'reminder not sent');
    if (outcome.kind === 'address-refused') await stopRefused(database, due);
    // A mail that may have arrived is not sent again.
    else if (outcome.kind !== 'unsure') await putBack(database, due);
    if (outcome.kind === 'unreachable' || outcome.kind === 'refused') restUntil = Date.now() + restMs;
  }

  function look() {
    running ??= Promise.allSettled(Array.from({ length: connections }, sendSome)).then((results) => {
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) log.error({ reason: reasonOf(failed.reason) }, 'the reminders were not sent');
      running = undefined;
    });
  }

  const timer = setInterval(look, lookMs).unref();
  look();
  return async () => {
    clearInterval(timer);
    isStopping = true;
    await running;
  };
}
