import { type FocusEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';
import { keepFields, type ReloadReason, takeFields } from '#web/app/kept-fields.ts';
import { isCodeMissing, reloadIfReplaced, reloadPage } from '#web/app/reload-after-deploy.ts';
import { useServices } from '#web/app/services-context.ts';

type Values<Name extends string> = Record<Name, string>;

export type FormProblem = { id: string; message: string };

export type FormOptions<Name extends string, Schema extends z.core.$ZodObject> = {
  /** Validates the input of `submit`. Fields that the schema does not name are not submitted. */
  schema: Schema;
  initial: Values<Name>;
  /**
   * Checks for a field that is being filled in, where they differ from the schema. They never block a submit.
   */
  advice?: { [name in Name]?: z.ZodMiniType };
  submit: (input: z.output<Schema>) => Promise<void>;
  /** Names of fields for the error summary, where the messages do not contain them. */
  labels?: { [name in Name]?: string };
  /** The page itself keeps a draft of the form. */
  drafted?: boolean;
};

export type Form<Name extends string = string> = ReturnType<typeof useForm<Name, z.core.$ZodObject>>;

/**
 * The state of one form of text fields.
 * Validation is lazy: it checks a field when the field loses focus, and on every change while the field shows
 * an error. Only a submit requires empty fields. Typed values are never lost.
 */
export function useForm<Name extends string, Schema extends z.core.$ZodObject>({
  schema,
  initial,
  advice = {},
  submit,
  labels = {},
  drafted = false,
}: FormOptions<Name, Schema>) {
  const { client } = useServices();
  const formId = useId();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Values<Name>>>({});
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [message, setMessage] = useState('');
  const [codeMissing, setCodeMissing] = useState(false);
  const [restored, setRestored] = useState<ReloadReason>();
  const [pending, setPending] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  // A second submit can come before the first has rendered, so state alone would not block it.
  const underWay = useRef(false);

  const names = Object.keys(initial) as Name[];
  const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;
  const idOf = (name: Name) => `${formId}-${name}`;

  // Values that the user typed, or the browser filled in, before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the values at the first render.
  useEffect(() => {
    for (const name of names) {
      const control = element.current?.elements.namedItem(name);
      if (!(control instanceof HTMLInputElement) || control.value === initial[name]) continue;
      const { value } = control;
      setValues((before) => ({ ...before, [name]: value }));
      if (control !== document.activeElement)
        setErrors((before) => ({ ...before, [name]: lazyError(name, value) }));
    }
  }, []);

  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const keptAs = names.join(' ');
  useEffect(() => {
    if (drafted) return;
    const before = takeFields(keptAs);
    if (before) {
      setValues((now) => ({ ...now, ...before.fields }));
      setRestored(before.reason);
    }
    return keepFields(keptAs, () => latest.current);
  }, [keptAs, drafted]);

  useEffect(() => {
    client.prepare().catch((error: unknown) => {
      // Without a connection, say nothing now: the submit loads the code again and reports the error.
      if (!drafted && isCodeMissing(error)) void reloadIfReplaced();
    });
  }, [client, drafted]);

  function lazyError(name: Name, value: string): string | undefined {
    const check = advice[name] ?? shape[name];
    if (value === '' || !check) return undefined;
    return z.safeParse(check, value).error?.issues[0]?.message;
  }

  function showErrors(found: Map<string, string>) {
    const shown = names.filter((name) => found.has(name));
    setErrors(Object.fromEntries(found) as Partial<Values<Name>>);
    setProblems(
      shown.map((name) => {
        const message = found.get(name) ?? '';
        return { id: idOf(name), message: labels[name] ? `${labels[name]}: ${message}` : message };
      }),
    );
  }

  async function showFailure(error: unknown) {
    if (isCodeMissing(error)) {
      if (!drafted && (await reloadIfReplaced())) return;
      setCodeMissing(true);
    }
    if (!(error instanceof ClientError)) {
      console.error(error);
      setMessage(errorMessages.unexpected);
      return;
    }
    const found = new Map(error.issues.map((issue) => [issue.path, issue.message]));
    showErrors(found);
    if (!names.some((name) => found.has(name))) setMessage(error.message);
  }

  /** Validates `now` and passes the input to `submit` or to `instead`; shows errors in the form. */
  async function send(instead: FormOptions<Name, Schema>['submit'] = submit, now: Values<Name> = values) {
    if (underWay.current) return;
    setMessage('');
    setCodeMissing(false);
    // A schema reports missing fields; to it, an empty string is a value.
    const present = names.filter((name) => name in shape && now[name] !== '');
    const parsed = z.safeParse(schema, Object.fromEntries(present.map((name) => [name, now[name]])));
    if (!parsed.success) {
      const issues = parsed.error.issues.toReversed();
      showErrors(new Map(issues.map((issue) => [String(issue.path[0]), issue.message])));
      return;
    }
    showErrors(new Map());
    underWay.current = true;
    setPending(true);
    try {
      await instead(parsed.data);
    } catch (error) {
      await showFailure(error);
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  return {
    values,
    pending,
    /** The error of the last submit that belongs to no field. */
    message,
    /** Reloads the page, if the last submit failed because code of the site is missing. */
    onReload: codeMissing ? () => reloadPage() : undefined,
    /** Why the site reloaded the page, if the form got its values back after that. */
    restored,
    /** The errors of the last submit, in the order of the fields. */
    problems,
    send,

    /** Sets other values in the fields, as if the user had typed them. */
    fill(next: Partial<Values<Name>>) {
      setValues((before) => ({ ...before, ...next }));
      showErrors(new Map());
      setMessage('');
    },

    /**
     * The props of the `<form>`. `post` keeps the values out of the address if the form is sent without
     * JavaScript.
     */
    props: {
      ref: element,
      noValidate: true,
      method: 'post',
      onSubmit(event: FormEvent) {
        event.preventDefault();
        void send();
      },
    } as const,

    /** The props for a field component. */
    field(name: Name) {
      return {
        id: idOf(name),
        name,
        value: values[name],
        error: errors[name],
        onValue(value: string) {
          setValues((before) => ({ ...before, [name]: value }));
          if (errors[name] !== undefined) setErrors({ ...errors, [name]: lazyError(name, value) });
        },
        onLeave(event: FocusEvent) {
          // Submit validates all fields. A message now would move the button away from the pointer.
          if (isSubmitButton(event.relatedTarget)) return;
          // The "required" error of a failed submit stays until the user types.
          if (values[name] !== '') setErrors({ ...errors, [name]: lazyError(name, values[name]) });
        },
      };
    },
  };
}

const isSubmitButton = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement && target.type === 'submit';
