const silentMs = 2_000;
const betweenMs = 1_000;

/**
 * Shows the progress of a command that takes longer than two seconds. On a terminal, it rewrites one line.
 * @param what the word for the counted things, such as `arquivos`. A call of `show` can give another word.
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
