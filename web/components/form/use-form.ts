import { useEffect } from 'react';
import * as z from 'zod/mini';
import { isCodeMissing, reloadIfReplaced } from '#web/app/reload-after-deploy.ts';
import { useServices } from '#web/app/services-context.ts';
import { type FormStateOptions, useFormState } from './use-form-state.ts';

export type FormOptions<Name extends string, Schema extends z.core.$ZodObject> = Omit<
  FormStateOptions<Name, z.output<Schema>>,
  'check' | 'parse'
> & {
  /** Validates the input of `submit`. Fields that the schema does not name are not submitted. */
  schema: Schema;
  /** Checks a field instead of `schema` while the user fills in the form. It never blocks a submit. */
  advice?: { [name in Name]?: z.ZodMiniType };
};

/** The state of one form. A Zod schema validates its input. */
export function useForm<Name extends string, Schema extends z.core.$ZodObject>({
  schema,
  advice = {},
  ...options
}: FormOptions<Name, Schema>) {
  const { client } = useServices();
  const { drafted = false } = options;
  const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;

  useEffect(() => {
    client.prepare().catch((error: unknown) => {
      // Without a connection, say nothing now: the submit loads the code again and reports the error.
      if (!drafted && isCodeMissing(error)) void reloadIfReplaced();
    });
  }, [client, drafted]);

  return useFormState<Name, z.output<Schema>>({
    ...options,
    check(name, value) {
      const fieldSchema = advice[name] ?? shape[name];
      return fieldSchema && z.safeParse(fieldSchema, value).error?.issues[0]?.message;
    },
    parse(values) {
      // The schema reports missing fields as required, so leave out the empty ones.
      const present = Object.entries(values).filter(([name, value]) => name in shape && value !== '');
      const parsed = z.safeParse(schema, Object.fromEntries(present));
      if (parsed.success) return { input: parsed.data };
      // Reverse the issues: `fromEntries` keeps the last message of a field, which must be its first issue.
      const issues = parsed.error.issues.toReversed();
      return { errors: Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message])) };
    },
  });
}
