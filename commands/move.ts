/**
 * `npm run move -- --to-database URL | --to-sqlite` and `--to-s3 | --to-disk`: moves the rows, the contents of
 * files or both to another place. No server may run.
 */
import { parseArgs } from 'node:util';
import { readEnvironment, StartError } from '#server/environment.ts';
import { move } from '#server/move/move.ts';
import { createProgress } from '#server/move/progress.ts';
import { describeFailure, describeInterruption, type MoveStep } from '#server/move/words.ts';

const usage = [
  'Pare o servidor e escreva, com as variáveis de ambiente dele: npm run move -- OPÇÕES',
  '  --to-database URL  leva os dados a um PostgreSQL vazio',
  '  --to-sqlite        traz os dados do PostgreSQL de DATABASE_URL para a pasta de dados',
  '  --to-s3            leva os arquivos da pasta de dados ao bucket vazio que as variáveis S3_* dizem',
  '  --to-disk          traz os arquivos do bucket das variáveis S3_* para a pasta de dados',
  'As duas primeiras combinam com as duas últimas: npm run move -- --to-database URL --to-s3',
].join('\n');

/** The exit codes of a process that a signal has ended. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

let step: MoveStep = 'checking';
const progress = createProgress(process.stdout);

for (const [signal, code] of Object.entries(signals))
  process.once(signal, () => {
    progress.end();
    console.error(describeInterruption(step));
    process.exit(code);
  });

try {
  const options = readOptions();
  console.log(await move(readEnvironment(), options, progress, (next) => (step = next)));
} catch (error) {
  console.error(describeFailure(error, step));
  process.exitCode = 1;
}

/** @throws StartError with the usage */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        'to-database': { type: 'string' },
        'to-sqlite': { type: 'boolean' },
        'to-s3': { type: 'boolean' },
        'to-disk': { type: 'boolean' },
      },
      strict: true,
    });
    const databases = [values['to-database'] !== undefined, values['to-sqlite'] === true];
    const stores = [values['to-s3'] === true, values['to-disk'] === true];
    const count = (flags: boolean[]) => flags.filter(Boolean).length;
    if (count(databases) <= 1 && count(stores) <= 1 && count([...databases, ...stores]) > 0) return values;
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}
