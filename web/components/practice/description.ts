const mostCharacters = 155;

/** The beginning of a practice's text, as search engines and chats show it below the title. */
export function descriptionOf(content: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  if (text.length <= mostCharacters) return text;
  const cut = text.lastIndexOf(' ', mostCharacters);
  return `${text.slice(0, cut > 0 ? cut : mostCharacters).replace(/[,.;:]$/, '')}…`;
}
