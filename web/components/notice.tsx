import type { ReactNode } from 'react';
import type { credentialMessages } from '#contract/credentials.ts';
import { Button } from './button.tsx';
import { icon } from './icons.tsx';
import { Quoted } from './layout/messages.tsx';
import styles from './notice.module.css';

/** A message in the page that the user should read before continuing, with an optional action. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}

/**
 * An error that belongs to no field. Screen readers announce it immediately.
 * @param onReload reloads the page; set only if a reload can help
 * @param children other actions that can help
 */
export function FormMessage({
  message,
  onReload,
  children,
}: {
  message: string;
  onReload?: (() => void) | undefined;
  children?: ReactNode;
}) {
  if (!message) return null;
  return (
    <div className={styles.message} role="alert">
      <CircleAlert />
      <p>
        <span>{message}</span>
        {children}
      </p>
      {onReload && (
        <Button variant="danger" size="small" onClick={onReload}>
          Carregar de novo
        </Button>
      )}
    </div>
  );
}

/* Lucide's icons, see icons.tsx. Their own file lets the home page load them only with its form. */
export const CircleAlert = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 8L12 12M12 16L12.01 16');
export const Info = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 16L12 12M12 8L12.01 8');

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
