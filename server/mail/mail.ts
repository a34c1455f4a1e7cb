/** A message to one person: some words, one thing to do, some more words. */
export type Mail = {
  to: { name?: string; email: string };
  subject: string;
  before: string;
  /** What the button says, and where it leads. */
  action: string;
  link: string;
  after: string;
  /** Another way, as a plain link. */
  way?: { action: string; link: string };
};
