import * as z from 'zod/mini';
import { AppError } from './errors.ts';

z.config(z.locales.ptBR());

/** More fields than any input of the contract has. */
const mostFields = 100;

/**
 * Parses input with a schema of the contract.
 * @throws AppError `request/invalid`, naming each invalid field; `request/malformed` for an object with
 * thousands of fields, which the schema would look at one by one
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  if (typeof input === 'object' && input !== null && Object.keys(input).length > mostFields)
    throw new AppError('request/malformed');
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new AppError('request/invalid', { issues });
}

/** Returns the query of a request target with its question mark; empty if there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}
