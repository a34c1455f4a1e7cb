/** A bucket of a store with the S3 API, and its credentials. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** A problem that prevents a start or a command. The message also says how to fix it. */
export class StartError extends Error {
  override name = 'StartError';
}

export function readUrl(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
  // The value may hold a password, so the message does not repeat it.
  throw new StartError(`${name} não pôde ser lido: escreva um endereço que comece com ${protocols[0]}//.`);
}

/**
 * Reads the settings of a bucket. Either all variables except the region must be set, or none of them.
 * @param prefix the beginning of the variables' names, such as `S3_`
 * @param instead the end of the error message, which says how to do without a bucket
 */
export function readS3(
  read: (name: string) => string | undefined,
  prefix: string,
  instead: string,
): S3Settings | undefined {
  const endpoint = readUrl(`${prefix}ENDPOINT`, read(`${prefix}ENDPOINT`), ['https:', 'http:']);
  const names = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => prefix + name);
  const missing = names.filter((name) => read(name) === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new StartError(`Para usar um bucket falta ${missing.join(', ')}: escreva todos, ou ${instead}.`);
  const bucket = read(`${prefix}BUCKET`) ?? '';
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new StartError(
      `${prefix}BUCKET vale "${bucket}": escreva o nome de um bucket, como ${prefix}BUCKET=acolhe-arquivos.`,
    );
  }
  return {
    endpoint: endpoint ?? '',
    bucket,
    region: read(`${prefix}REGION`) ?? 'us-east-1',
    accessKeyId: read(`${prefix}ACCESS_KEY_ID`) ?? '',
    secretAccessKey: read(`${prefix}SECRET_ACCESS_KEY`) ?? '',
  };
}

export function readMegabytes(name: string, value: string | undefined, defaultBytes: number): number {
  if (value === undefined) return defaultBytes;
  const megabytes = Number(value);
  if (Number.isInteger(megabytes) && megabytes >= 1 && megabytes <= 100_000_000) return megabytes * 1_000_000;
  throw new StartError(`${name} vale "${value}": escreva um número inteiro de megabytes, como ${name}=50.`);
}

export function readSecret(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value.length >= 32) return value;
  throw new StartError(`${name} é curto demais: escreva pelo menos 32 caracteres ao acaso.`);
}

export function readFlag(name: string, value: string | undefined, usual: boolean): boolean {
  if (value === undefined) return usual;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new StartError(`${name} vale "${value}": escreva ${name}=true ou ${name}=false.`);
}
