import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/** The processor time that a process may use. */
const processorSeconds = 30;
/** The longest wait for a process. It is generous, because the process has a low priority. */
const timeLimitMs = 120_000;

type Outcome<Result> = { result: Result } | { error: string };

type Limits = {
  /**
   * The limit of the process's data segment (`ulimit -d`), in KiB. Node alone reserves about 600 MiB of it,
   * but uses only a part.
   */
  memoryKilobytes: number;
  /** The environment variables of the process. */
  variables?: Record<string, string>;
};

/** Thrown when a process used up its memory or processor time, or was too slow on a busy machine. */
export class LimitReached extends Error {
  override name = 'LimitReached';
  readonly limit: 'resources' | 'time';

  constructor(limit: LimitReached['limit'], options?: ErrorOptions) {
    super(`A process reached its limit of ${limit}.`, options);
    this.limit = limit;
  }
}

/**
 * Starts a process with limited memory, limited time and a low priority, for work that hostile input can make
 * expensive. The process does one job and exits.
 * @param program the path of a program that calls `doJob`
 * @throws LimitReached; Error with the stack of the error that the process threw
 */
export async function runJob<Job extends object, Result>(
  program: string,
  job: Job,
  { memoryKilobytes, variables = {} }: Limits,
): Promise<Result> {
  // The shell ignores errors of `ulimit`, because some systems do not support both limits.
  const ulimits = `ulimit -d ${memoryKilobytes} 2>/dev/null; ulimit -t ${processorSeconds} 2>/dev/null`;
  const child = spawn('/bin/sh', ['-c', `${ulimits}; exec "$0" "$@"`, process.execPath, program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: variables,
  });
  let tooLong = false;
  const timer = setTimeout(() => {
    tooLong = true;
    child.kill('SIGKILL');
  }, timeLimitMs);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let outcome: Outcome<Result> | undefined;
  child.once('message', (message: Outcome<Result>) => {
    outcome = message;
  });
  try {
    // Lowers the priority of the process, so that requests to the site come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not allow this. The process then runs at the usual priority.
  }
  // The callback ignores errors: a process that has already exited accepts no message, and its exit code or
  // signal, which is read below, gives the reason.
  child.send(job, () => {});
  const [code, signal] = await exited.finally(() => clearTimeout(timer));
  if (outcome && 'result' in outcome) return outcome.result;
  if (outcome) throw new Error(`An error in ${program}: ${outcome.error}`);
  if (tooLong) throw new LimitReached('time');
  if (signal !== null) throw new LimitReached('resources');
  throw new Error(`${program} ended with ${code}.`);
}

/** Does the job that `runJob` has sent to this process. The process can then exit. */
export function doJob<Job>(work: (job: Job) => Promise<unknown>): void {
  process.once('message', (job: Job) => {
    void work(job)
      .then(
        (result): Outcome<unknown> => ({ result }),
        (error): Outcome<unknown> => ({ error: error instanceof Error ? `${error.stack}` : String(error) }),
      )
      .then((outcome) => process.send?.(outcome, () => process.disconnect?.()));
  });
}
