/** Networks that are counted one by one; all others are counted together. */
const mostNetworks = 10_000;
const others = 'other networks';

export type Repeats = ReturnType<typeof createRepeats>;

/**
 * Finds what a network repeats within a minute, so that a flood writes little.
 * @param each the most that counts as not repeated, of one network in a minute
 * @param inAll the same of all networks together
 * @param report receives at the end of a minute how often each network repeated something
 */
export function createRepeats(
  { each, inAll = Number.POSITIVE_INFINITY }: { each: number; inAll?: number },
  report: (repeated: ReadonlyMap<string, number>) => void,
) {
  let counts = new Map<string, number>();
  let repeated = new Map<string, number>();
  let all = 0;
  const add = (to: Map<string, number>, network: string) => {
    const name = to.has(network) || to.size < mostNetworks ? network : others;
    const count = (to.get(name) ?? 0) + 1;
    to.set(name, count);
    return count;
  };
  return {
    /** Counts one of this network. @returns true if it is repeated */
    isRepeated(network: string): boolean {
      if (add(counts, network) <= each && all < inAll) {
        all += 1;
        return false;
      }
      add(repeated, network);
      return true;
    },
    endMinute() {
      const ended = repeated;
      counts = new Map();
      repeated = new Map();
      all = 0;
      if (ended.size > 0) report(ended);
    },
  };
}
