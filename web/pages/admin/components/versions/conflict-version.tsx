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
        <span>{headings[side]}</span>
      </label>
      <div className={styles.text}>{children}</div>
    </div>
  );
}

/** Says who changed a value since the version that both edits started from. */
export function whoChanged(before: string, mine: string, theirs: string): string {
  if (mine === before) return 'Só a outra pessoa mudou.';
  if (theirs === before) return 'Só você mudou.';
  return 'As duas pessoas mudaram.';
}
