import { appendFileSync } from 'node:fs';

/** One line of the table at the end of `npm run test:hard` and `npm run test:several`. */
export type FigureLine = { attack: string; figure: string; limit: string };

/**
 * Adds a line to the table.
 * @param limit the limit that the test asserts; empty when the figure is only information
 */
export function report(attack: string, figure: string, limit = '') {
  const file = process.env.HARD_FIGURES;
  const line: FigureLine = { attack, figure, limit };
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
