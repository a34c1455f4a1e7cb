import type { ReactNode } from 'react';
import styles from './conflict-version.module.css';

export type Side = 'mine' | 'saved';

const headings = { mine: 'A sua', saved: 'A salva', both: 'As duas juntas' };

/** A radio button for one version of a field. */
export function ConflictVersion({
  side,
  name,
  checked,
  onChoose,
  children,
}: {
  side: Side | 'both';
  /** The name of the radio group. */
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
