import type { credentialMessages } from '#contract/credentials.ts';
import { Quoted } from '../quoted.tsx';

type EnglishMessage = (typeof credentialMessages)['nameRequired' | 'emailRequired' | 'passwordRequired'];

/** Portuguese translations of the messages that the specification quotes in English. */
const inPortuguese: Record<EnglishMessage, string> = {
  'You need a first name': 'Escreva o seu nome.',
  'You need a email': 'Escreva o seu e-mail.',
  'You need a password': 'Escreva a senha.',
};

/** Shows the message of an error, with a translation if the message is in English. */
export function ErrorText({ message }: { message: string }) {
  if (!Object.hasOwn(inPortuguese, message)) return <span>{message}</span>;
  return <Quoted english={message}>{inPortuguese[message as EnglishMessage]}</Quoted>;
}
