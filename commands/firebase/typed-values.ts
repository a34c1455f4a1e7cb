/** A value of Firestore without the names of its types. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/** Firestore allows at most 20 nested levels. This limit only protects the stack from a forged export. */
const mostLevels = 25;

/** Thrown for a value that cannot be imported. The message is a sentence in Portuguese. */
export class UnsupportedValue extends Error {
  override name = 'UnsupportedValue';
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the `fields` of a document of Firestore's REST API. @throws UnsupportedValue */
export function plainFields(fields: unknown, level = 0): { [key: string]: Plain } {
  if (fields === undefined) return {};
  if (!isRecord(fields)) throw new UnsupportedValue('Os campos não estão no formato do Firestore.');
  const plain = Object.entries(fields).map(([key, value]): [string, Plain] => {
    if (/^__.*__$/s.test(key))
      throw new UnsupportedValue('Há um campo com um nome que o Firestore não permite.');
    return [key, plainValue(value, level)];
  });
  return Object.fromEntries(plain);
}

function plainValue(typed: unknown, level: number): Plain {
  if (level > mostLevels) throw new UnsupportedValue('O documento tem níveis demais.');
  const [entry, ...others] = isRecord(typed) ? Object.entries(typed) : [];
  if (entry === undefined || others.length > 0)
    throw new UnsupportedValue('Há um valor que não está no formato do Firestore.');
  const [type, value] = entry;
  if (type === 'nullValue') return null;
  if (type === 'booleanValue' && typeof value === 'boolean') return value;
  if (type === 'integerValue') return plainInteger(value);
  if (type === 'doubleValue') return plainDouble(value);
  if (
    ['stringValue', 'timestampValue', 'bytesValue', 'referenceValue'].includes(type) &&
    typeof value === 'string'
  )
    return value;
  if (type === 'geoPointValue' && isRecord(value))
    return { latitude: plainDouble(value.latitude ?? 0), longitude: plainDouble(value.longitude ?? 0) };
  if (type === 'arrayValue' && isRecord(value)) {
    const values = value.values ?? [];
    if (Array.isArray(values)) return values.map((one) => plainValue(one, level + 1));
  }
  if (type === 'mapValue' && isRecord(value)) return plainFields(value.fields, level + 1);
  throw new UnsupportedValue('Há um valor que não está no formato do Firestore.');
}

/** Firestore's integers have 64 bits. An integer that a `number` cannot hold exactly stays text. */
function plainInteger(value: unknown): number | string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new UnsupportedValue('Há um número inteiro inválido.');
  const text = String(value);
  if (!/^-?\d{1,19}$/.test(text)) throw new UnsupportedValue('Há um número inteiro inválido.');
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function plainDouble(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new UnsupportedValue('Há um número que não se pode guardar.');
}
