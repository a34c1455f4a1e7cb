import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { CircleAlert } from '../icons.tsx';
import styles from './form-message.module.css';

/**
 * A failure that belongs to no field, announced at once.
 * @param onReload offers to load the page again, where only that helps
 * @param children what else can be done about it
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
        {message}
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
