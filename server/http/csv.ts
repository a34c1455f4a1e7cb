/** Returns one line of a CSV table (RFC 4180), including its line end. */
export const csvLine = (cells: readonly string[], separator: ',' | ';') =>
  `${cells.map(csvCell).join(separator)}\r\n`;

/** Quotes a cell and prevents a spreadsheet from reading it as a formula. */
function csvCell(text: string): string {
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
