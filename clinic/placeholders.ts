import { texts } from './texts.ts';

/** Matches the sample values that the repository has instead of a clinic's data. */
const samples =
  /Nome Sobrenome|CRM-UF|RQE 0+$|^550+$|exemplo\.com\.br|Nome da Rua|Cidade, UF|Nome da pessoa|^https:\/\/www\.(?:instagram|youtube|linkedin)\.com\/$/;

/** Lists the fields that still have sample values, for example `identity.crm: CRM-UF 000000`. */
export function listPlaceholders(): string[] {
  return Object.entries(texts).flatMap(([name, text]) => placeholdersIn(text, name));
}

function placeholdersIn(value: unknown, path: string): string[] {
  if (typeof value === 'string') return samples.test(value) ? [`${path}: ${shorten(value)}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, `${path}.${key}`));
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
