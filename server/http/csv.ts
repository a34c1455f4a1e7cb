/** Returns one line of a CSV table (RFC 4180), including its line end. */
export const csvLine = (cells: readonly string[], separator: ',' | ';') =>
  `${cells.map(csvCell).join(separator)}\r\n`;

/**
 * Matches text that a spreadsheet could read as a formula, also after invisible characters. Spreadsheets of
 * East Asian languages read full-width signs like the others.
 */
const formula = /^(?:[\t\r]|[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/u;

/** Quotes a cell and prevents a spreadsheet from reading it as a formula. */
function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
