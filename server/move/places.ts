import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireOwner } from '../database/installation/data-folder.ts';
import type { MoveJournal } from '../database/installation/move-journal.ts';
import { type Environment, StartError } from '../environment.ts';

/** What `npm run move` moves, and where to. */
export type MoveOptions = {
  /** A URL of PostgreSQL, or `-` if the command must ask for it. */
  'to-database'?: string | undefined;
  'to-sqlite'?: boolean | undefined;
  'to-s3'?: boolean | undefined;
  'to-disk'?: boolean | undefined;
};

const usage = [
  'Pare o servidor e escreva, com as variáveis de ambiente dele: npm run move -- OPÇÕES',
  '  --to-database URL  leva os dados a um PostgreSQL vazio; com - no lugar de URL, pergunta o endereço',
  '  --to-sqlite        traz os dados do PostgreSQL de DATABASE_URL para a pasta de dados',
  '  --to-s3            leva os arquivos da pasta de dados ao bucket vazio que as variáveis S3_* dizem',
  '  --to-disk          traz os arquivos do bucket das variáveis S3_* para a pasta de dados',
  'As duas primeiras combinam com as duas últimas: npm run move -- --to-database URL --to-s3',
].join('\n');

/** @throws StartError whose message explains how to use the command */
export function readMoveOptions(args: string[]): MoveOptions {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'to-database': { type: 'string' },
        'to-sqlite': { type: 'boolean' },
        'to-s3': { type: 'boolean' },
        'to-disk': { type: 'boolean' },
      },
      strict: true,
    });
    const count = (...flags: unknown[]) => flags.filter((flag) => flag !== undefined).length;
    const rows = count(values['to-database'], values['to-sqlite']);
    const contents = count(values['to-s3'], values['to-disk']);
    if (rows <= 1 && contents <= 1 && rows + contents > 0) return values;
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}

/** The environments of a server before and after the move, and what is moved. */
export type Places = { source: Environment; target: Environment } & Pick<MoveJournal, 'rows' | 'contents'>;

/** @throws StartError when the options do not describe a move from the place that the environment names */
export function findPlaces(environment: Environment, options: MoveOptions): Places {
  const { databaseUrl, s3 } = environment;
  const to = options['to-database'];
  if (to !== undefined && !(URL.canParse(to) && /^postgres(?:ql)?:$/.test(new URL(to).protocol)))
    throw new StartError(
      'Depois de --to-database escreva o endereço do PostgreSQL novo, que começa com postgres://. Nada foi mudado.',
    );
  if (options['to-sqlite'] && databaseUrl === undefined)
    throw new StartError('Os dados do site já estão em SQLite (DATABASE_URL está vazio). Nada foi mudado.');
  if (to !== undefined && to === databaseUrl) throw sameDatabase();
  if (options['to-s3'] && !s3)
    throw new StartError(
      'Com --to-s3, as variáveis S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID e S3_SECRET_ACCESS_KEY dizem para onde os arquivos vão: escreva-as. Nada foi mudado.',
    );
  if (options['to-disk'] && !s3)
    throw new StartError(
      'Com --to-disk, as variáveis S3_* dizem de onde os arquivos vêm, e não estão escritas: ou eles já estão na pasta de dados. Nada foi mudado.',
    );
  const bucket = s3 ? `${s3.endpoint}/${s3.bucket}` : '';
  const from = databaseUrl === undefined ? 'sqlite' : withoutPassword(databaseUrl);
  return {
    source: { ...environment, s3: options['to-s3'] ? undefined : s3 },
    target: {
      ...environment,
      databaseUrl: options['to-sqlite'] ? undefined : (to ?? databaseUrl),
      s3: options['to-disk'] ? undefined : s3,
    },
    ...(to !== undefined && { rows: { from, to: withoutPassword(to) } }),
    ...(options['to-sqlite'] && { rows: { from, to: 'sqlite' } }),
    ...(options['to-s3'] && { contents: { from: 'disk', to: bucket } }),
    ...(options['to-disk'] && { contents: { from: bucket, to: 'disk' } }),
  };
}

export const sameDatabase = () =>
  new StartError('O banco de dados de --to-database é o mesmo de DATABASE_URL. Nada foi mudado.');

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Creates the journal of a new move. */
export function newJournal({ rows, contents }: Places): MoveJournal {
  const [stamp = ''] = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '_').split('.');
  return { id: randomUUID(), stamp, ...(rows && { rows }), ...(contents && { contents }) };
}

/** True if the journal belongs to a move between the same places. */
export const isSameMove = (journal: MoveJournal, { rows, contents }: Places): boolean =>
  JSON.stringify([journal.rows, journal.contents]) === JSON.stringify([rows, contents]);

/**
 * Checks that this process writes to the folder that the server uses, as the server's user.
 * @throws StartError
 */
export function requireOwnFolder(dataDir: string): void {
  if (!existsSync(dataDir))
    throw new StartError(
      `A pasta de dados ${dataDir} não existe: escreva em DATA_DIR a do servidor. Nada foi mudado.`,
    );
  requireOwner(dataDir);
}
