import type { ReactNode } from 'react';
import styles from './conflict-version.module.css';

export type Side = 'mine' | 'saved';

const headings = { mine: 'A sua', saved: 'A salva', both: 'As duas juntas' };

/** One version of a field, to be chosen. */
export function ConflictVersion({
  side,
  name,
  checked,
  onChoose,
  children,
}: {
  side: Side | 'both';
  /** The field. */
  name: string;
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <div className={styles.version} data-side={side} data-chosen={checked || undefined}>
      <label className={styles.choice}>
        <input type="radio" name={`conflict-${name}`} value={side} checked={checked} onChange={onChoose} />
        {headings[side]}
      </label>
      <div className={styles.text}>{children}</div>
    </div>
  );
}
