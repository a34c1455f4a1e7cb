import styles from './form-message.module.css';
import { CircleAlert } from './icons.tsx';

/** A failure that belongs to no field, announced at once. */
export function FormMessage({ message }: { message: string }) {
  if (!message) return null;
  return (
    <p className={styles.message} role="alert">
      <CircleAlert /> {message}
    </p>
  );
}
