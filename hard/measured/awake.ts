import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Keeps the processors awake: Linux waits for work in a loop instead of putting them to sleep. On a shared
 * machine, waking a virtual processor takes up to a few milliseconds, so an idle server would seem slower
 * than a busy one. Programs in the scheduling class "idle" would also keep them awake, but Linux lets such a
 * program run for up to 4 ms before a program that has just been interrupted.
 *
 * Needs root. Without it, or on another system, the measurement continues, and the processors can sleep.
 * @see https://docs.kernel.org/power/pm_qos_interface.html
 */
export function keepProcessorsAwake(): { stop(): void } {
  let file: number | undefined;
  try {
    file = openSync('/dev/cpu_dma_latency', 'w');
    // The highest wake-up latency that is accepted, in microseconds, while the file stays open.
    writeSync(file, Buffer.alloc(4));
  } catch {
    // The file is missing, or this user may not write to it.
  }
  return {
    stop() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
