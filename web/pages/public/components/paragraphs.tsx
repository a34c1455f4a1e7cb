import { TextBlocks } from '#web/components/plain-text.tsx';

/** Texts of the site, each with its paragraphs, lists and links. */
export const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => <TextBlocks key={index} text={text} />);
