const everyMs = 2_000;

/** Says how far a step is. */
export type Progress = (step: string, done: number, total: number) => void;

/** Prints one line at most every two seconds, so that a short import prints none. */
export function createProgress(
  say: (line: string) => void = console.log,
  now: () => number = () => performance.now(),
): Progress {
  let last = now();
  return (step, done, total) => {
    if (now() - last < everyMs) return;
    last = now();
    say(`${step}: ${done.toLocaleString('pt-BR')} de ${total.toLocaleString('pt-BR')}…`);
  };
}
