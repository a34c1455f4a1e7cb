const silentMs = 2_000;
const betweenMs = 1_000;

/**
 * Shows how far a command is, once it has taken two seconds. On a terminal one line is written again and again.
 * @param what what is counted, such as `arquivos`
 */
export function createProgress(what: string, output = process.stderr) {
  const begun = performance.now();
  let shownAt = 0;
  let shown = false;
  return {
    show(done: number, all: number): void {
      const now = performance.now();
      if (now - begun < silentMs || now - shownAt < betweenMs) return;
      shownAt = now;
      shown = true;
      const line = `  ${done.toLocaleString('pt-BR')} de ${all.toLocaleString('pt-BR')} ${what}`;
      output.write(output.isTTY ? `\r${line}` : `${line}\n`);
    },
    end(): void {
      if (shown && output.isTTY) output.write('\n');
    },
  };
}
