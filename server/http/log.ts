import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';

/** The logger methods that code outside request handlers needs; `console` has them, too. */
export type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/**
 * Returns an error in a form for the log. Removes email addresses, because mail servers and databases repeat
 * them in their error messages.
 */
export function reasonOf(error: unknown): { code?: string; stack: string } {
  if (!(error instanceof Error)) return { stack: typeof error };
  const { code, stack = error.message } = error as NodeJS.ErrnoException;
  return {
    stack: withSources(stack.slice(0, 2_000)).replace(
      /(?<![^\s<>"'()=:,;@])[^\s<>"'()=:,;@]+@[^\s<>"'(),;@]+/g,
      '…@…',
    ),
    ...(typeof code === 'string' && { code }),
  };
}

/** Turns an error into what the log contains of it. */
export function errorInLog(error: Error): { type: string; message: string; code?: unknown; stack: string } {
  const { name, message, code } = error as NodeJS.ErrnoException;
  return { type: name, message, ...(code !== undefined && { code }), stack: withSources(stackOf(error)) };
}

function stackOf({ stack = '', cause }: Error): string {
  return cause instanceof Error ? `${stack}\ncaused by: ${stackOf(cause)}` : stack;
}

const sourceMaps = new Map<string, SourceMap | undefined>();

/** Replaces the positions in the bundled server (dist/server) by those in the sources. */
export function withSources(stack: string): string {
  return stack.replaceAll(
    /(?<=[\s(])(?:file:\/\/)?(\/[^\s():]+):(\d+):(\d+)/g,
    (whole, file: string, line, column) => {
      const found = sourceMapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!found || !('originalSource' in found)) return whole;
      const source = path.resolve(path.dirname(file), found.originalSource);
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    },
  );
}

/** Reads the map at the first error only: Node's own option would read it at every start. */
function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(file));
  return sourceMaps.get(file);
}

function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

const levelNames = new Map([
  [40, 'aviso: '],
  [50, 'erro: '],
  [60, 'erro grave: '],
]);

/**
 * Turns a line of the log, which is JSON, into one for a person at a terminal. Control characters, with which
 * a stranger's text could command the terminal, become `?`.
 */
export function readableLine(line: string): string {
  const { level, time, pid: _pid, hostname: _host, msg = '', err, ...rest } = JSON.parse(line);
  const values = Object.entries(rest).map(([name, value]) =>
    typeof value === 'object' ? `${name}=${JSON.stringify(value)}` : `${name}=${value}`,
  );
  const begin = `${new Date(time).toLocaleTimeString('pt-BR')} ${levelNames.get(level) ?? ''}${msg}`;
  const shown = withoutControls([begin, ...values].join(' '), /[\p{Cc}\p{Cf}]/gu);
  return `${shown}\n${err ? `${withoutControls(err.stack, /(?!\n)[\p{Cc}\p{Cf}]/gu)}\n` : ''}`;
}

const withoutControls = (text: string, controls: RegExp) => text.replace(controls, '?');
