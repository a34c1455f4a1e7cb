import { ChevronDown } from '../icons.tsx';
import { PlainText } from '../plain-text.tsx';
import styles from './practice-text.module.css';

/**
 * A practice's text, with paragraphs, lists and links. A long text is collapsed after its beginning, even
 * without JavaScript.
 * @param shown how many characters are visible before the user expands the text
 * @param onOpen called when the user expands the text
 */
export function PracticeText({
  text,
  title,
  shown,
  onOpen,
}: {
  text: string;
  title: string;
  shown: number;
  onOpen: () => void;
}) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const beginning = beginningOf(paragraphs, shown);
  if (beginning.length === paragraphs.length && beginning.at(-1) === paragraphs.at(-1)) {
    return <PlainText className={styles.text} text={text} />;
  }
  return (
    <>
      <div className={styles.excerpt}>
        <PlainText className={styles.text} text={beginning.join('\n\n')} />
      </div>
      <details className={styles.full} onToggle={({ currentTarget }) => currentTarget.open && onOpen()}>
        <summary>
          Ler a prática <span className="visually-hidden">{title}</span>
          <ChevronDown />
        </summary>
        <PlainText className={styles.text} text={text} />
      </details>
    </>
  );
}

/**
 * Returns as many whole paragraphs as fit into `shown` characters. If the first paragraph does not fit, the
 * result is only its beginning, cut between words.
 */
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
