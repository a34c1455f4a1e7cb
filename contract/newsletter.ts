import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { plainLine, plainText, visibleText } from './text.ts';

/*
 * The newsletter, on screen *carta*. One sending of it is an issue. Admins write issues; the server sends
 * them to the confirmed subscribers.
 */

/** What an admin writes. The text has the marks of `textBlocks`. */
export const issueInput = z.strictObject({
  subject: z
    .string()
    .check(
      z.trim(),
      visibleText('Escreva o assunto da carta.'),
      z.maxLength(limits.issueSubjectMaxLength),
      plainLine,
    ),
  text: z
    .string()
    .check(
      z.trim(),
      visibleText('Escreva o texto da carta.'),
      z.maxLength(limits.issueTextMaxLength),
      plainText,
    ),
  /** True if search engines may index the public page of the issue. */
  indexed: z.boolean(),
});
export type IssueInput = z.infer<typeof issueInput>;

/** `draft` until an admin sends it; `paused` by an admin or a refusal; `sent` at the end. */
export const issueStates = ['draft', 'sending', 'paused', 'sent'] as const;
export type IssueState = (typeof issueStates)[number];

const count = z.number();

/** How far the sending of an issue is, in numbers of recipients. */
export const issueProgress = z.object({
  recipients: count,
  sent: count,
  waiting: count,
  /** Their mail server refused the address. */
  refused: count,
  /** It is unknown whether they got the mail. It is never sent again by itself. */
  unsure: count,
});
export type IssueProgress = z.infer<typeof issueProgress>;

const time = z.nullable(z.number());

/** An issue as admins see it. Times are epoch milliseconds. */
export const issue = z.extend(issueInput, {
  id: z.string(),
  state: z.enum(issueStates),
  /** Why the sending paused, or why it waits; null if nothing is wrong. */
  problem: z.nullable(z.string()),
  /** Grows by one with every change of the text. A save sends it in `If-Match`. */
  revision: z.number(),
  updatedAt: z.number(),
  startedAt: time,
  finishedAt: time,
  progress: issueProgress,
});
export type Issue = z.infer<typeof issue>;

/** All issues, newest first, and the number of confirmed subscribers. */
export const issueList = z.object({ issues: z.array(z.omit(issue, { text: true })), subscribers: count });
export type IssueList = z.infer<typeof issueList>;

/** An issue, with the addresses about which an admin should know. */
export const issueDetails = z.extend(issue, {
  /** At most `limits.namedRecipients` of each. */
  refusedAddresses: z.array(z.string()),
  unsureAddresses: z.array(z.string()),
  subscribers: count,
});
export type IssueDetails = z.infer<typeof issueDetails>;

/** The theme in which the preview of a mail is shown. */
export const mailPreviewQuery = z.strictObject({ theme: z._default(z.enum(['light', 'dark']), 'light') });

/** A sent issue, as everyone may read it. */
export const publicIssue = z.object({
  id: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The day of the sending at the clinic, such as `2026-11-27`. */
  day: z.string(),
  indexed: z.boolean(),
});
export type PublicIssue = z.infer<typeof publicIssue>;

/** The path of the public page of an issue. */
export const issuePath = (id: string) => `/carta/${id}`;
/** The path that ends a subscription. It contains the token, as `List-Unsubscribe` requires. */
export const leavePath = (token: string) => `/carta/sair/${token}`;

/** Returns what the path of an issue's page has in place of the id. There may be no such issue. */
export const issueIdIn = (path: string): string | undefined =>
  /^\/carta\/(?!(?:confirmar|sair)$)([^/]+)$/.exec(path)?.[1];
