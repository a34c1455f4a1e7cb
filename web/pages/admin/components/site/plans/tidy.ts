import { valueAt, withValueAt } from '../values.ts';
import type { Plan } from './plan.ts';

/** Returns a copy of a value after formatting each text with the `tidy` function of its plan. */
export function formatValues(plan: Plan, value: unknown): unknown {
  if (plan.kind === 'text') return plan.tidy && typeof value === 'string' ? plan.tidy(value) : value;
  if (plan.kind === 'list') return (value as unknown[]).map((item) => formatValues(plan.item, item));
  if (plan.kind !== 'group') return value;
  return Object.entries(plan.fields).reduce(
    (whole, [key, inner]) => withValueAt(whole, [key], formatValues(inner, valueAt(whole, [key]))),
    value,
  );
}

/** Writes a registration as the medical council does: `crm sp 123.456` becomes `CRM-SP 123456`. */
export function tidyCrm(typed: string): string {
  const [letters, digits] = lettersAndDigits(typed);
  const state = letters.replace(/^CRM/, '');
  return state.length === 2 && digits !== '' ? `CRM-${state} ${digits}` : typed;
}

/** `12.345` becomes `RQE 12345`. */
export function tidyRqe(typed: string): string {
  const [letters, digits] = lettersAndDigits(typed);
  return ['', 'RQE', 'RQEN'].includes(letters) && digits !== '' ? `RQE ${digits}` : typed;
}

/** Returns a Brazilian number's digits with the country code: `(11) 91234-5678` becomes `5511912345678`. */
export function tidyWhatsapp(typed: string): string {
  if (/[^\d\s()+.-]/.test(typed)) return typed;
  const digits = onlyDigits(typed).replace(/^0+/, '');
  return digits.length === 10 || digits.length === 11 ? `55${digits}` : digits;
}

/** `5511912345678` becomes `+55 11 91234-5678`. */
export const showWhatsapp = (stored: string): string =>
  stored.replace(/^55(\d\d)(\d{4,5})(\d{4})$/, '+55 $1 $2-$3');

/** Returns the Latin letters of a text, as capitals, and its digits. */
const lettersAndDigits = (text: string): [letters: string, digits: string] => [
  text.replace(/[^a-z]/gi, '').toUpperCase(),
  onlyDigits(text),
];

const onlyDigits = (text: string) => text.replace(/\D/g, '');
