/**
 * `npm run move -- --to-database URL | --to-sqlite` and `--to-s3 | --to-disk`: moves the rows, the contents
 * of files or both to another place. If the URL is `-`, the command asks for it. No server may run meanwhile.
 */
import { readEnvironment } from '#server/environment.ts';
import { move } from '#server/move/move.ts';
import { readMoveOptions } from '#server/move/places.ts';
import { describeFailure, describeInterruption, type MoveStep } from '#server/move/words.ts';
import { askLine } from './terminal/ask.ts';
import { createProgress } from './terminal/progress.ts';

/** The usual exit code of a process after each of these signals. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

let step: MoveStep = 'checking';
const progress = createProgress('linhas');

for (const [signal, code] of Object.entries(signals))
  process.once(signal, () => {
    progress.end();
    console.error(describeInterruption(step));
    process.exit(code);
  });

try {
  const options = readMoveOptions(process.argv.slice(2));
  // Other programs on the machine can see arguments, but not what the operator types.
  if (options['to-database'] === '-') options['to-database'] = await askLine('Endereço do PostgreSQL novo: ');
  const end = await move(readEnvironment(), options, progress.show, (next) => {
    step = next;
  });
  progress.end();
  console.log(end);
} catch (error) {
  progress.end();
  console.error(describeFailure(error, step));
  process.exitCode = 1;
}
