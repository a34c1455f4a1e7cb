import { randomUUID } from 'node:crypto';
import { issuePath, leavePath } from '#contract/newsletter.ts';
import type { AppContext } from '../context.ts';
import { autoSubmitted, oneClick, senderOf, writeToOutbox } from '../mail/mailer.ts';
import { renderIssue } from '../mail/render.ts';
import type { SendOutcome, SmtpSession } from '../mail/smtp-session.ts';
import type { Delivery } from './deliveries.ts';
import { createNewsletterLinks } from './newsletter.ts';

type MailContext = Pick<AppContext, 'environment' | 'authSecret' | 'clinicName'>;
type IssueToSend = { id: string; subject: string; text: string };

type Recipient = Pick<Delivery, 'subscriberId' | 'email'>;

export type IssueMail = {
  /** Sends the mail over `session`; without a session, writes it into the outbox. */
  send(session: SmtpSession | undefined, recipient: Recipient): Promise<SendOutcome>;
  /** The size of the whole mail. */
  bytes(): Promise<number>;
};

/** Renders an issue as it leaves, with links that belong to no subscriber. */
export async function previewIssue({ environment, clinicName }: MailContext, issue: IssueToSend) {
  const { publicUrl } = environment;
  const links = {
    viewLink: publicUrl + issuePath(issue.id),
    leaveLink: publicUrl + leavePath('exemplo'),
  };
  return renderIssue({ ...issue, ...links }, { clinicName: await clinicName(), publicUrl });
}

/** Prepares the mail of an issue. Only the link to leave differs between its recipients. */
export async function createIssueMail(context: MailContext, issue: IssueToSend): Promise<IssueMail> {
  const { publicUrl, mailFrom, dataDir } = context.environment;
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const links = createNewsletterLinks(context.authSecret, publicUrl);
  const clinicName = await context.clinicName();
  // The mail is rendered once, with a mark where each recipient's link to leave goes.
  const mark = `${publicUrl}${leavePath(randomUUID())}`;
  const viewLink = publicUrl + issuePath(issue.id);
  const rendered = renderIssue({ ...issue, viewLink, leaveLink: mark }, { clinicName, publicUrl });

  function compose({ subscriberId, email }: Recipient) {
    const leaveLink = links.link(subscriberId, 'leave');
    return new MailComposer({
      from: senderOf(mailFrom, clinicName),
      to: email,
      headers: { ...autoSubmitted, ...oneClick(leaveLink) },
      subject: rendered.subject,
      text: rendered.text.replaceAll(mark, () => leaveLink),
      html: rendered.html.replaceAll(mark, () => leaveLink),
    }).compile();
  }

  return {
    async send(session, recipient) {
      const mail = compose(recipient);
      const { from } = mail.getEnvelope();
      const message = await mail.build();
      if (session) return session.send({ from: String(from), to: recipient.email }, message);
      await writeToOutbox(dataDir, message);
      return { kind: 'sent' };
    },
    bytes: async () =>
      (await compose({ subscriberId: 'x'.repeat(16), email: 'x@example.com' }).build()).length,
  };
}
