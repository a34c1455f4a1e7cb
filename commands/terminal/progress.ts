const silentMs = 2_000;
const betweenMs = 1_000;

/**
 * Shows how far a command is, once it has taken two seconds. On a terminal one line is written again and again.
 * @param what what is counted, such as `arquivos`; a step of the command can name something else, and need not know
 * how many there are
 * @param clock returns milliseconds
 */
export function createProgress(
  what: string,
  output: Pick<typeof process.stderr, 'write' | 'isTTY'> = process.stderr,
  clock = () => performance.now(),
) {
  const begun = clock();
  let shownAt = 0;
  let shown = false;
  return {
    show(done: number, all: number | undefined, counted = what): void {
      const now = clock();
      if (now - begun < silentMs || now - shownAt < betweenMs) return;
      shownAt = now;
      shown = true;
      const of = all === undefined ? '' : ` de ${all.toLocaleString('pt-BR')}`;
      const line = `  ${done.toLocaleString('pt-BR')}${of} ${counted}`;
      output.write(output.isTTY ? `\r${line}\u001b[K` : `${line}\n`);
    },
    end(): void {
      if (shown && output.isTTY) output.write('\n');
    },
  };
}
