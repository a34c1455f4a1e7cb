import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { foldForSearch } from '#contract/text.ts';
import { lazily } from '#server/concurrency.ts';
import { AppError } from '#server/http/errors.ts';

/**
 * Refuses easily guessed passwords: the most common ones, and the account's name or email address.
 * @param field the name of the field that holds the password in the request
 * @throws AppError `request/invalid`, naming the field
 */
export async function refuseGuessable(
  password: string,
  owner: { name: string; email: string },
  field = 'password',
): Promise<void> {
  const refusal = (message: string) =>
    new AppError('request/invalid', { issues: [{ path: field, message }] });
  const lower = password.toLowerCase();
  if ((await commonPasswords()).includes(JSON.stringify(lower)))
    throw refusal('Esta senha é muito comum. Escolha outra.');
  const [mailbox = ''] = owner.email.split('@');
  const own = [owner.name, owner.email, mailbox, ...owner.name.split(' ')].map(lettersAndDigits);
  if (own.includes(lower)) throw refusal('A senha não pode ser o seu nome nem o seu e-mail.');
}

const lettersAndDigits = (text: string) => foldForSearch(text).replace(/[^a-z0-9]/g, '');

/**
 * The file of common passwords as one string: its JSON, in lower case and not parsed. A search for a quoted
 * password takes 0.1 ms; an array would take twenty times the memory. The first check loads the file.
 */
const commonPasswords = lazily(async () => {
  const file = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  return (await readFile(file, 'utf8')).toLowerCase();
});
