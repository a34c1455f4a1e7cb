import { type FocusEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ClientError, messageOf } from '#client/client-error.ts';
import { isCodeMissing, reloadPage } from '#web/app/reload-after-deploy.ts';

export type Values<Name extends string> = Record<Name, string>;
/** Messages by field. */
type Errors = Record<string, string>;

export type FormProblem = { id: string; message: string };

export type FormStateOptions<Name extends string, Input> = {
  /** The value of a checkbox is `on` or empty. */
  initial: Values<Name>;
  /** Checks one field while the user fills in the form; returns the error message. Not called for "". */
  check: (name: Name, value: string) => string | undefined;
  /** Checks all fields for a submit, and converts them to the input of `submit`. */
  parse: (values: Values<Name>) => { input: Input } | { errors: Errors };
  submit: (input: Input) => Promise<void>;
  /** Names of fields for the error summary; needed for fields whose messages do not contain the name. */
  labels?: { [name in Name]?: string };
};

/**
 * The state of one form. Forms with a Zod schema call `useForm` instead; this file does not load Zod.
 * Validation is lazy: the form checks a field when the field loses focus, and on every change while the field
 * shows an error. Only a submit reports empty fields.
 */
export function useFormState<Name extends string, Input>({
  initial,
  check,
  parse,
  submit,
  labels = {},
}: FormStateOptions<Name, Input>) {
  const formId = useId();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<{ [name in Name]?: string | undefined }>({});
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const [message, setMessage] = useState('');
  const [codeMissing, setCodeMissing] = useState(false);
  const [pending, setPending] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  // Blocks a second submit before React has rendered `pending`.
  const underWay = useRef(false);

  const names = Object.keys(initial) as Name[];
  const idOf = (name: Name) => `${formId}-${name}`;
  const lazyError = (name: Name, value: string) => (value === '' ? undefined : check(name, value));

  // Reads the values that the user or the browser's autofill entered before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the values at the first render.
  useEffect(() => {
    for (const name of names) {
      const control = element.current?.elements.namedItem(name);
      if (!(control instanceof HTMLInputElement)) continue;
      const value = control.type === 'checkbox' && !control.checked ? '' : control.value;
      if (value === initial[name]) continue;
      setValues((before) => ({ ...before, [name]: value }));
      if (control !== document.activeElement)
        setErrors((before) => ({ ...before, [name]: lazyError(name, value) }));
    }
  }, []);

  function showErrors(found: Errors) {
    setErrors(found as Partial<Values<Name>>);
    setProblems(
      names.flatMap((name) => {
        const error = found[name];
        if (error === undefined) return [];
        return { id: idOf(name), message: labels[name] ? `${labels[name]}: ${error}` : error };
      }),
    );
  }

  function showFailure(error: unknown) {
    setCodeMissing(isCodeMissing(error));
    const issues = error instanceof ClientError ? error.issues : [];
    const found = Object.fromEntries(issues.map((issue) => [issue.path, issue.message]));
    showErrors(found);
    if (!names.some((name) => name in found)) setMessage(messageOf(error));
  }

  /** Checks the values. Passes the input to `instead` (by default `submit`), or shows errors in the form. */
  async function send(instead: (input: Input) => Promise<void> = submit, now: Values<Name> = values) {
    if (underWay.current) return;
    setMessage('');
    setCodeMissing(false);
    const parsed = parse(now);
    if ('errors' in parsed) return showErrors(parsed.errors);
    showErrors({});
    underWay.current = true;
    setPending(true);
    try {
      await instead(parsed.input);
    } catch (error) {
      showFailure(error);
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  return {
    values,
    pending,
    /** The error message of the last submit, if the error belongs to no field. */
    message,
    /** Reloads the page; set only if the last submit failed because code of the site could not be loaded. */
    onReload: codeMissing ? reloadPage : undefined,
    /** The errors of the last submit, in the order of the fields. */
    problems,
    send,

    /** Sets values in the fields and removes all errors. */
    fill(next: Partial<Values<Name>>) {
      setValues((before) => ({ ...before, ...next }));
      showErrors({});
      setMessage('');
    },

    /**
     * The props of the `<form>`. The method `post` keeps the values out of the URL if the form is sent
     * without JavaScript.
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
          // Skip the check: a new message would move the button while the user presses it, and the submit
          // checks all fields anyway.
          if (isSubmitButton(event.relatedTarget)) return;
          // The "required" error of a failed submit stays until the user types.
          if (values[name] !== '') setErrors({ ...errors, [name]: lazyError(name, values[name]) });
        },
      };
    },
  };
}

/** True if the focus moves to a button that submits the form. @param target `relatedTarget` of the event */
export const isSubmitButton = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement && target.type === 'submit';
