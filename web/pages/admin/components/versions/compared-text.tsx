import { useMemo } from 'react';
import { compareTexts } from './merge-text.ts';

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
