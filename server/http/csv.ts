/** One line of a table that spreadsheets read (RFC 4180), its end included. */
export const csvLine = (cells: readonly string[], separator: ',' | ';') =>
  `${cells.map(csvCell).join(separator)}\r\n`;

/** A cell that no spreadsheet takes for a formula. */
function csvCell(text: string): string {
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
