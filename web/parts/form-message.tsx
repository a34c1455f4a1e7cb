import { Button } from './button.tsx';
import styles from './form-message.module.css';
import { CircleAlert } from './icons.tsx';

/**
 * A failure that belongs to no field, announced at once.
 * @param onReload offers to load the page again, where only that helps
 */
export function FormMessage({ message, onReload }: { message: string; onReload?: (() => void) | undefined }) {
  if (!message) return null;
  return (
    <div className={styles.message} role="alert">
      <CircleAlert />
      <p>{message}</p>
      {onReload && (
        <Button variant="danger" size="small" onClick={onReload}>
          Carregar de novo
        </Button>
      )}
    </div>
  );
}
