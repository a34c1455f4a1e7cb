import { texts } from './texts.ts';

/** Parts of the sample values that the repository has instead of a clinic's data. */
const sampleParts = [
  ...['Nome Sobrenome', 'Nome da Rua', 'Nome da pessoa', 'Cidade, UF', 'CRM-UF', 'exemplo.com.br'],
];
/** Sample values that are part of real ones. */
const samples = [
  ...['RQE 00000', '5500000000000'],
  ...['https://www.instagram.com/', 'https://www.youtube.com/', 'https://www.linkedin.com/'],
];
const isSample = (text: string) => samples.includes(text) || sampleParts.some((part) => text.includes(part));

/** Lists the fields that still have sample values, for example `identity.crm: CRM-UF 000000`. */
export function listPlaceholders(): string[] {
  return Object.entries(texts).flatMap(([name, text]) => placeholdersIn(text, name));
}

function placeholdersIn(value: unknown, path: string): string[] {
  if (typeof value === 'string') return isSample(value) ? [`${path}: ${shorten(value)}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, `${path}.${key}`));
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
