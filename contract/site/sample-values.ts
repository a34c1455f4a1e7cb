/** Parts of sample values. A text is a sample if it contains one of them. */
const sampleParts = [
  ...['Nome Sobrenome', 'Nome da Rua', 'Nome da pessoa', 'Cidade, UF', 'CRM-UF', 'exemplo.com.br'],
];
/** Sample values that can also occur inside real values. A text is a sample only if it equals one of them. */
const samples = [
  ...['RQE 00000', '5500000000000'],
  ...['https://www.instagram.com/', 'https://www.youtube.com/', 'https://www.linkedin.com/'],
];

/** True if the text describes a sample picture. All sample pictures are illustrations. */
export const isSampleAlt = (text: string): boolean => text.startsWith('Ilustração: ');

/** True if the text is a value of the sample content that a clinic must replace. */
export const isSample = (text: string): boolean =>
  samples.includes(text) || sampleParts.some((part) => text.includes(part));

/** Lists the strings inside a value, each with its path, such as `address.0`. */
export function textsIn(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, path ? `${path}.${key}` : key));
}
