import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { CircleAlert } from './form-icons.tsx';
import styles from './form-message.module.css';

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
