/** Texts as paragraphs. */
export const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => <p key={index}>{text}</p>);
