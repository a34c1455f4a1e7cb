import { ChevronDown } from '#web/parts/icons.tsx';
import styles from './practice-text.module.css';

/**
 * A practice's text, in its paragraphs; a long one is folded behind its beginning, with no script needed.
 * @param shown how many characters a reader sees before asking for the rest
 */
export function PracticeText({ text, title, shown }: { text: string; title: string; shown: number }) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const beginning = beginningOf(paragraphs, shown);
  if (beginning.length === paragraphs.length && beginning.at(-1) === paragraphs.at(-1)) {
    return <Paragraphs texts={paragraphs} />;
  }
  return (
    <>
      <div className={styles.beginning}>
        <Paragraphs texts={beginning} />
      </div>
      <details className={styles.whole}>
        <summary>
          Ler a prática <span className="visually-hidden">{title}</span>
          <ChevronDown />
        </summary>
        <Paragraphs texts={paragraphs} />
      </details>
    </>
  );
}

function Paragraphs({ texts }: { texts: string[] }) {
  return (
    <div className={styles.paragraphs}>
      {texts.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two paragraphs may say the same.
        <p key={place}>{text}</p>
      ))}
    </div>
  );
}

/** Whole paragraphs for as long as they fit; the first one is cut between words if it must be. */
function beginningOf(paragraphs: string[], shown: number): string[] {
  const [first = ''] = paragraphs;
  if (first.length > shown) {
    const cut = first.lastIndexOf(' ', shown);
    return [`${first.slice(0, cut > 0 ? cut : shown).replace(/[,.;:]$/, '')}…`];
  }
  let length = 0;
  const end = paragraphs.findIndex((paragraph) => {
    length += paragraph.length;
    return length > shown;
  });
  return end === -1 ? paragraphs : paragraphs.slice(0, end);
}
