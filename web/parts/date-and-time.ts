const dateParts = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', year: 'numeric' });

/** `12 nov. 2025, 9h40` */
export function dateAndTime(epochMs: number) {
  const date = new Date(epochMs);
  const part = Object.fromEntries(dateParts.formatToParts(date).map(({ type, value }) => [type, value]));
  const minutes = String(date.getMinutes()).padStart(2, '0');
  return `${part.day} ${part.month} ${part.year}, ${date.getHours()}h${minutes}`;
}
