import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits until the condition holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}
