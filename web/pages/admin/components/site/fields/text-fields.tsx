import { type FocusEvent, useState } from 'react';
import { TextAreaField, TextField } from '#web/components/form/field.tsx';
import { isSubmitButton } from '#web/components/form/use-form-state.ts';
import type { BlocksPlan, LinesPlan, TextPlan } from '../plans/plan.ts';
import { SampleMark } from '../samples.tsx';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { blocksText, editedLine, isSame, linesText, type Path, valueAt } from '../values.ts';

/** These numbers determine the rows of a text field from the length of its text. */
const charactersPerRow = 60;
const mostRows = 14;

const rowsOf = (text: string, atLeast: number) => {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil((line.length + 1) / charactersPerRow), 0);
  return Math.min(mostRows, Math.max(atLeast, lines));
};

/** The state of a field that shows its value as `text`. */
function useTextState(
  path: Path,
  { text, hint, onText }: { text: string; hint: string | undefined; onText: (typed: string) => void },
) {
  const { errorAt, leave, showInPreview, isSample } = useSectionEditing();
  return {
    ...((hint || isSample(path)) && {
      hint: (
        <>
          {isSample(path) && <SampleMark />} {hint && <span>{hint}</span>}
        </>
      ),
    }),
    id: fieldId(path),
    name: path.join('.'),
    value: text,
    error: errorAt(path),
    onValue(typed: string) {
      onText(typed);
      showInPreview(editedLine(text, typed));
    },
    onLeave(event: FocusEvent) {
      // A new message would move the button while the user presses it. A save checks all fields.
      if (!isSubmitButton(event.relatedTarget)) leave(path);
    },
  };
}

export function PlannedTextField({ plan, path }: { plan: TextPlan; path: Path }) {
  const { content, change } = useSectionEditing();
  const stored = String(valueAt(content, path) ?? '');
  const value = plan.shown?.(stored) ?? stored;
  const { label, hint, rows, input = 'text', tidy } = plan;
  const field = useTextState(path, { text: value, hint, onText: (typed) => change(path, typed) });
  const shared = { ...field, label, required: false };
  if (rows) return <TextAreaField {...shared} rows={rowsOf(value, rows)} />;
  return (
    <TextField
      {...shared}
      type={input}
      autoComplete="off"
      onLeave={(event) => {
        if (tidy) change(path, tidy(stored, valueAt(content, path.slice(0, -1))));
        field.onLeave(event);
      }}
    />
  );
}

/** A field for several texts, one in each line or in each paragraph. */
export function LinesField({ plan, path }: { plan: LinesPlan; path: Path }) {
  const { separator } = plan;
  return (
    <SplitField
      {...{ plan, path }}
      format={(texts: string[]) => linesText.format(texts, separator)}
      parse={(typed) => linesText.parse(typed, separator)}
    />
  );
}

/** A field for paragraphs and bulleted lists. */
export const BlocksField = ({ plan, path }: { plan: BlocksPlan; path: Path }) => (
  <SplitField
    path={path}
    plan={{
      ...plan,
      hint: 'Deixe uma linha em branco entre os parágrafos. Comece com “- ” os itens de uma lista.',
    }}
    format={blocksText.format}
    parse={blocksText.parse}
  />
);

function SplitField<Value>({
  plan: { label, hint },
  path,
  format,
  parse,
}: {
  plan: { label: string; hint?: string };
  path: Path;
  format: (value: Value) => string;
  parse: (typed: string) => Value;
}) {
  const { content, change } = useSectionEditing();
  const value = valueAt(content, path) as Value;
  // Keep the typed text, because it can end with empty lines that the value does not contain.
  const [typed, setTyped] = useState(() => format(value));
  const text = isSame(parse(typed), value) ? typed : format(value);
  const field = useTextState(path, {
    text,
    hint,
    onText(next) {
      setTyped(next);
      change(path, parse(next));
    },
  });
  return <TextAreaField {...field} label={label} required={false} rows={rowsOf(text, 3)} />;
}
