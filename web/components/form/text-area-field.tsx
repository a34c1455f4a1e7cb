import { controlProps, FieldLayout, type InputProps } from './field.tsx';

/** A field for text of several lines. */
export function TextAreaField({ rows, ...field }: InputProps & { rows: number }) {
  return <FieldLayout {...field} input={<textarea {...controlProps(field)} rows={rows} />} />;
}
