import * as z from 'zod/mini';
import { AppError } from './errors.ts';

z.config(z.locales.ptBR());

/**
 * Input as its schema of the contract describes it.
 * @throws AppError `request/invalid`, naming each field that did not pass
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new AppError('request/invalid', { issues });
}
