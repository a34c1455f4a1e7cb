import type { ReactNode } from 'react';
import { useMemo } from 'react';
import styles from './conflict-version.module.css';
import { compareTexts } from './merge-text.ts';

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

/** Shows one of two texts, and marks the words that the other text does not have. */
export function ComparedText({ side, one, other }: { side: 'one' | 'other'; one: string; other: string }) {
  const [ofOne, ofOther] = useMemo(() => compareTexts(one, other), [one, other]);
  return (
    <p>
      {(side === 'one' ? ofOne : ofOther).map(({ text, shared }, index) =>
        shared || text.trim() === '' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts can repeat, and their order never changes.
          <span key={index}>{text}</span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Marked key={index} text={text} />
        ),
      )}
    </p>
  );
}

/**
 * Marks a text, but not the white space around it, because marked line breaks would look like marked lines.
 */
function Marked({ text }: { text: string }) {
  const words = text.trim();
  const start = text.indexOf(words);
  return (
    <>
      <span>{text.slice(0, start)}</span>
      <mark>{words}</mark>
      <span>{text.slice(start + words.length)}</span>
    </>
  );
}
