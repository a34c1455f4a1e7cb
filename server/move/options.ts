import { parseArgs } from 'node:util';
import { StartError } from '../environment.ts';

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
