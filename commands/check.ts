/**
 * `npm run check`: checks an installation and changes nothing. A server may be running. Prints a line for
 * each check. The exit code is 1 if there is something to do. `--socket` says that systemd holds the port of
 * the server.
 */
import { parseArgs } from 'node:util';
import { inspect } from '#server/check/inspect.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { failureText } from './terminal/run-command.ts';

const usage = 'Escreva assim: npm run check, com as variáveis de ambiente do servidor.';

try {
  const isPortReserved = readArguments();
  const environment = readEnvironment();
  print('Configurações', 'lidas sem erro.', true);
  let isWell = true;
  for await (const line of inspect(environment, isPortReserved)) {
    print(line.subject, line.text, line.isWell);
    isWell &&= line.isWell === true;
  }
  console.log(isWell ? 'Está tudo certo.' : 'Há o que fazer: veja as linhas que começam com "veja".');
  if (!isWell) process.exitCode = 1;
} catch (error) {
  console.error(failureText(error, 'A conferência parou; nada foi mudado.'));
  process.exitCode = 1;
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { socket: { type: 'boolean', default: false } } }).values.socket;
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
}

/** Prints one line. The text of a refused start can have several sentences, each on a line of its own. */
function print(subject: string, text: string, isWell: boolean | undefined) {
  const mark = isWell === undefined ? '?' : isWell ? 'ok' : 'veja';
  console.log(`${mark.padEnd(5)}${subject}: ${text.replaceAll('\n', ' ')}`);
}
