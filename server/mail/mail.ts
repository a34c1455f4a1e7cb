/** A message to one recipient: text, one action, more text. */
export type Mail = {
  to: { name?: string; email: string };
  subject: string;
  before: string;
  /** The text of the button, which opens `link`. */
  action: string;
  link: string;
  after: string;
  /** An alternative action, as a plain link. */
  secondAction?: { action: string; link: string };
};
