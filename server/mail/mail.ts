/** A message to one recipient: text, one action, more text. */
export type Mail = {
  to: { name?: string; email: string };
  subject: string;
  before: string;
  /** The text of the button, and its address below. */
  action: string;
  link: string;
  after: string;
  /** An alternative action, as a plain link. */
  way?: { action: string; link: string };
};
