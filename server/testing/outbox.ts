import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** Reads the mails that a server without `SMTP_URL` wrote to its data folder. */
export async function mailsIn(dataDir: string): Promise<Email[]> {
  const outbox = path.join(dataDir, 'outbox');
  const names = await readdir(outbox).catch((): string[] => []);
  const mails = await Promise.all(names.map((name) => readFile(path.join(outbox, name))));
  return Promise.all(mails.map((mail) => PostalMime.parse(mail)));
}
