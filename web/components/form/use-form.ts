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
  /** What `submit` takes. Fields of the form that the schema does not name stay in the form. */
  schema: Schema;
  initial: Values<Name>;
  /** Checks shown while a field is being filled in, where they differ from the schema's. They never block. */
  advice?: { [name in Name]?: z.ZodMiniType };
  submit: (input: z.output<Schema>) => Promise<void>;
  /** Names of fields for the error summary, where the messages do not name them. */
  labels?: { [name in Name]?: string };
  /** A draft of the form is kept by the page itself. */
  drafted?: boolean;
};

export type Form<Name extends string = string> = ReturnType<typeof useForm<Name, z.core.$ZodObject>>;

/**
 * State of one form of text fields. Validation is lazy: a field is checked when it is left, and while it
 * changes once it shows an error; an empty field is only asked for at submit. Nothing typed is ever dropped.
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
  // Two submits can come before the first has rendered; state alone would let both through.
  const underWay = useRef(false);

  const names = Object.keys(initial) as Name[];
  const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;
  const idOf = (name: Name) => `${formId}-${name}`;

  // What was typed into a finished page before its code came, or filled in by the browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there at the beginning.
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
      // A lost connection is told when the form is sent; then the code is asked for again.
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

  /** Checks `now`, then hands the input to `submit` or to `instead`; failures are shown in the form. */
  async function send(instead: FormOptions<Name, Schema>['submit'] = submit, now: Values<Name> = values) {
    if (underWay.current) return;
    setMessage('');
    setCodeMissing(false);
    // A schema asks for what is missing, not for what is empty.
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
    /** The failure of the last submit that belongs to no field. */
    message,
    /** Loads the page again, where the last submit failed because code of the site is missing. */
    onReload: codeMissing ? () => reloadPage() : undefined,
    /** Why the site reloaded the page, when the form got its fields back after that. */
    restored,
    /** What the last submit found wrong, in the order of the fields. */
    problems,
    send,

    /** Puts other values into the fields, as if they had been typed. */
    fill(next: Partial<Values<Name>>) {
      setValues((before) => ({ ...before, ...next }));
      showErrors(new Map());
      setMessage('');
    },

    /** The props of the `<form>`. `post` keeps what was typed out of the address if it is sent without a script. */
    props: {
      ref: element,
      noValidate: true,
      method: 'post',
      onSubmit(event: FormEvent) {
        event.preventDefault();
        void send();
      },
    } as const,

    /** The props that a field component takes. */
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
          // Submit checks everything itself; a message appearing now would move the button from under the pointer.
          if (isSubmitButton(event.relatedTarget)) return;
          // What a failed submit said about an empty field stays until something is typed.
          if (values[name] !== '') setErrors({ ...errors, [name]: lazyError(name, values[name]) });
        },
      };
    },
  };
}

const isSubmitButton = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement && target.type === 'submit';
