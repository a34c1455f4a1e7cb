import { setImmediate as nextTurn } from 'node:timers/promises';

/** Reports how far a long step has come. */
export type Progress = {
  /** Begins a step. @param total rows or bytes */
  begin(label: string, total: number, unit: 'rows' | 'bytes'): void;
  /** Adds to the progress. Then lets timers and signal handlers run, because SQLite's calls block them. */
  add(count: number): Promise<void>;
  end(): void;
};

/** A step that takes less time than this shows nothing. */
const quietMs = 2_000;
const lookMs = 500;
/** How often a line is written to a file or a pipe. In a terminal, a single line is updated instead. */
const lineMs = 10_000;

const rows = new Intl.NumberFormat('pt-BR');
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent' });
const gigabyte = 1e9;
const megabyte = 1e6;

/** Formats a size for a message, for example `1,2 GB`. */
export function formatBytes(bytes: number): string {
  const [unit, name] = bytes >= gigabyte ? ([gigabyte, 'GB'] as const) : ([megabyte, 'MB'] as const);
  return `${new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 }).format(bytes / unit)} ${name}`;
}

export const formatRows = (count: number) => rows.format(count);

/** Shows the progress of steps that take longer than two seconds. */
export function createProgress(output: { isTTY?: boolean; write(text: string): unknown }): Progress {
  let timer: NodeJS.Timeout | undefined;
  let show = () => {};
  let [done, shownAt] = [0, 0];

  function end() {
    clearInterval(timer);
    if (output.isTTY && shownAt > 0) output.write('\r\u001b[2K');
    shownAt = 0;
  }

  return {
    begin(label, total, unit) {
      end();
      done = 0;
      const begunAt = performance.now();
      const format = unit === 'rows' ? formatRows : formatBytes;
      show = () => {
        const now = performance.now();
        if (now - begunAt < quietMs || (!output.isTTY && shownAt > 0 && now - shownAt < lineMs)) return;
        shownAt = now;
        const share = percent.format(total === 0 ? 1 : Math.min(1, done / total));
        const line = `${label}: ${share} (${format(done)} de ${format(total)}${unit === 'rows' ? ' linhas' : ''})`;
        output.write(output.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
      };
      timer = setInterval(show, lookMs).unref();
    },
    async add(count) {
      done += count;
      await nextTurn();
    },
    end,
  };
}
