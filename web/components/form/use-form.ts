import * as z from 'zod/mini';
import { type FormStateOptions, useFormState } from './use-form-state.ts';

export type FormOptions<Name extends string, Schema extends z.core.$ZodObject> = Omit<
  FormStateOptions<Name, z.output<Schema>>,
  'check' | 'parse'
> & {
  /** Validates the input of `submit`. Fields that the schema does not name are not submitted. */
  schema: Schema;
  /** Schemas that replace those of `schema` while the user fills in the form. They never block a submit. */
  advice?: { [name in Name]?: z.ZodMiniType };
};

/** The state of one form. A Zod schema validates its input. */
export function useForm<Name extends string, Schema extends z.core.$ZodObject>({
  schema,
  advice = {},
  ...options
}: FormOptions<Name, Schema>) {
  const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;

  return useFormState<Name, z.output<Schema>>({
    ...options,
    check(name, value) {
      const fieldSchema = advice[name] ?? shape[name];
      return fieldSchema && z.safeParse(fieldSchema, value).error?.issues[0]?.message;
    },
    parse(values) {
      // Leave out empty fields, so that the schema reports them as missing.
      const present = Object.entries(values).filter(([name, value]) => name in shape && value !== '');
      const parsed = z.safeParse(schema, Object.fromEntries(present));
      if (parsed.success) return { input: parsed.data };
      // A field shows its first issue, but `fromEntries` keeps the last one. So reverse the issues.
      const issues = parsed.error.issues.reverse();
      return { errors: Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message])) };
    },
  });
}
