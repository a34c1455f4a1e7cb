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

const units = ['kB', 'MB', 'GB', 'TB'];

/** Returns a size in bytes as people read it: `1,2 MB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes / 1_000, 0];
  while (size >= 1_000 && unit < units.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return `${size.toLocaleString('pt-BR', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${units[unit]}`;
}
