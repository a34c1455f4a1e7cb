import { withScheme } from '#contract/parse-url.ts';
import { videoOf, videoWatchUrl } from '#contract/video.ts';
import { valueAt, withValueAt } from '../values.ts';
import type { Plan } from './plan.ts';

/**
 * Returns a copy of a value after formatting each text with the `tidy` function of its plan.
 * @param group the group that contains the value
 */
export function formatValues(plan: Plan, value: unknown, group?: unknown): unknown {
  if (plan.kind === 'text') return plan.tidy && typeof value === 'string' ? plan.tidy(value, group) : value;
  if (plan.kind === 'list') return (value as unknown[]).map((item) => formatValues(plan.item, item));
  if (plan.kind !== 'group') return value;
  return Object.entries(plan.fields).reduce(
    (whole, [key, inner]) => withValueAt(whole, [key], formatValues(inner, valueAt(whole, [key]), whole)),
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

/** `550,00` becomes `R$ 550,00`. Returns texts that are not an amount, such as `a combinar`, as they are. */
export function tidyPrice(typed: string): string {
  const amount = typed.trim().replace(/^R\$/i, '').trim();
  return /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d\d)?$/.test(amount) ? `R$ ${amount}` : typed;
}

/**
 * Returns a Brazilian number's digits with the country code: `(11) 91234-5678` becomes `5511912345678`. Reads
 * every usual form: a WhatsApp link, `+55`, `0055`, `0xx11`, a carrier's code (`0 21 11 …`), any dash or
 * invisible character. Returns other texts as they are.
 */
export function tidyWhatsapp(typed: string): string {
  const [, linked] = /(?:wa\.me\/|[?&]phone=|^tel:)([^?&]*)/i.exec(typed) ?? [];
  const written = (linked === undefined ? typed : linked.replace(/%2B/i, '+'))
    .normalize('NFKC')
    .replace(/^[^\d+(]*(?=[\d+(])/, '');
  if (/[^\d\s()+./xX*\p{Pd}\p{Cf}\u2212]/u.test(written)) return typed;
  const digits = onlyDigits(written);
  const isInternational = /^\(?(?:\+|00)/.test(written) || linked !== undefined;
  if (isInternational && !/^(?:00)?55/.test(digits)) return typed;
  const national = isInternational
    ? digits.replace(/^(?:00)?55/, '')
    : digits.replace(/^0+/, '').replace(/^55(?=\d{10})/, '');
  const local = national.replace(/^0+/, '');
  const [hasTrunk, hasCarrier] = [/^0/.test(digits), local.length === 12 || local.length === 13];
  const number = hasTrunk && hasCarrier ? local.slice(2) : local;
  return number.length === 10 || number.length === 11 ? `55${number}` : typed;
}

const profiles: Record<string, string> = {
  Instagram: 'https://www.instagram.com/',
  YouTube: 'https://www.youtube.com/@',
  LinkedIn: 'https://www.linkedin.com/in/',
};

/**
 * Completes a link: adds `https://`, turns `@name` into the profile on the network that the group names, and
 * finds the video in YouTube's code for embedding. Returns other texts as they are.
 */
export function tidyLink(typed: string, group: unknown): string {
  const text = typed.trim();
  const video = text.includes('<') ? videoOf(text) : undefined;
  if (video) return videoWatchUrl(video);
  const [, name] = /^@([\w.-]+)$/.exec(text) ?? [];
  const profile = profiles[(group as { network?: string } | undefined)?.network ?? ''];
  if (name && profile) return profile + name;
  if (/^(?:https?:)?\/\//i.test(text)) return text.replace(/^(?:https?:)?\/\//i, 'https://');
  const completed = withScheme(text);
  return completed === text ? typed : completed;
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
