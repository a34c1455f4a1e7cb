import { type TextBlock, type TextPiece, textBlocks } from '#contract/markup/text-blocks.ts';
import { classNames } from './class-names.ts';
import styles from './plain-text.module.css';

/** Renders a user's text with paragraphs, lists and links. It does not interpret HTML. */
export function PlainText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div className={classNames(styles.text, className)}>
      <TextBlocks text={text} />
    </div>
  );
}

/** The paragraphs and lists of a text, for a parent that sets the space between them. */
export const TextBlocks = ({ text }: { text: string }) =>
  textBlocks(text).map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two blocks can be equal, and blocks never move.
    <Block key={place} block={block} />
  ));

function Block({ block: { kind, lines, start } }: { block: TextBlock }) {
  if (kind === 'paragraph') {
    return (
      <p>
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Line key={place} pieces={line} broken={place > 0} />
        ))}
      </p>
    );
  }
  const items = lines.map((line, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <li key={place}>
      <Line pieces={line} />
    </li>
  ));
  return kind === 'bullets' ? (
    <ul className={styles.bullets}>{items}</ul>
  ) : (
    <ol className={styles.numbers} start={start}>
      {items}
    </ol>
  );
}

function Line({ pieces, broken = false }: { pieces: TextPiece[]; broken?: boolean }) {
  return (
    <>
      {broken && <br />}
      {pieces.map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <Piece key={place} {...piece} />
      ))}
    </>
  );
}

function Piece({ text, href, strong, em }: TextPiece) {
  const words =
    href === undefined ? (
      text
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer">
        <span>{text}</span>
        <span className="visually-hidden"> (abre em outra aba)</span>
      </a>
    );
  const marked = em ? <em>{words}</em> : <span>{words}</span>;
  return strong ? <strong>{marked}</strong> : marked;
}
