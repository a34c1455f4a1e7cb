const dateParts = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', year: 'numeric' });

/** Formats a date: `12 nov. 2025`. */
export function dateOnly(epochMs: number) {
  const parts = dateParts.formatToParts(new Date(epochMs)).map(({ type, value }) => [type, value]);
  const part = Object.fromEntries(parts);
  return `${part.day} ${part.month} ${part.year}`;
}

/** Formats a date, without the year if it is the current year: `12 nov.`. */
export function recentDate(epochMs: number, now = new Date()) {
  const year = ` ${new Date(epochMs).getFullYear()}`;
  const date = dateOnly(epochMs);
  return year === ` ${now.getFullYear()}` ? date.slice(0, -year.length) : date;
}

/** Formats date and time: `12 nov. 2025, 9h40`. */
export function dateAndTime(epochMs: number) {
  const date = new Date(epochMs);
  const minutes = String(date.getMinutes()).padStart(2, '0');
  return `${dateOnly(epochMs)}, ${date.getHours()}h${minutes}`;
}
