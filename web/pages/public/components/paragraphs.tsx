import { TextBlocks } from '#web/components/plain-text.tsx';

/** Shows texts of the site content. Each text can contain paragraphs, lists and links. */
export const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => <TextBlocks key={index} text={text} />);
