/** A line of a text, and whether the other text has it too. */
export type ComparedLine = { text: string; shared: boolean };

/** Both texts line by line, each line marked with whether the other one has it in the same order. */
export function compareTexts(one: string, other: string): [ComparedLine[], ComparedLine[]] {
  const [a, b] = [one.split('\n'), other.split('\n')];
  const pairs = commonLines(a, b);
  const [inA, inB] = [new Set(pairs.map(([i]) => i)), new Set(pairs.map(([, j]) => j))];
  return [
    a.map((text, index) => ({ text, shared: inA.has(index) })),
    b.map((text, index) => ({ text, shared: inB.has(index) })),
  ];
}

/**
 * Both changes of a text in one. Where both changed the same lines, those of `saved` come first, then those of
 * `mine`: nothing is left out.
 */
export function mergeTexts({ base, mine, saved }: { base: string; mine: string; saved: string }): string {
  const [baseLines, mineLines, savedLines] = [base.split('\n'), mine.split('\n'), saved.split('\n')];
  const inMine = new Map(commonLines(baseLines, mineLines));
  const inSaved = new Map(commonLines(baseLines, savedLines));
  const merged: string[] = [];
  let at = { base: 0, mine: 0, saved: 0 };

  function takeUpTo(end: typeof at) {
    const before = baseLines.slice(at.base, end.base);
    const ours = mineLines.slice(at.mine, end.mine);
    const theirs = savedLines.slice(at.saved, end.saved);
    if (same(ours, theirs) || same(ours, before)) merged.push(...theirs);
    else if (same(theirs, before)) merged.push(...ours);
    else merged.push(...theirs, ...ours);
  }

  for (const [index, line] of baseLines.entries()) {
    const [mineIndex, savedIndex] = [inMine.get(index), inSaved.get(index)];
    if (mineIndex === undefined || savedIndex === undefined) continue;
    takeUpTo({ base: index, mine: mineIndex, saved: savedIndex });
    merged.push(line);
    at = { base: index + 1, mine: mineIndex + 1, saved: savedIndex + 1 };
  }
  takeUpTo({ base: baseLines.length, mine: mineLines.length, saved: savedLines.length });
  return merged.join('\n');
}

const same = (one: string[], other: string[]) =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** The longest common subsequence, as pairs of indexes. */
function commonLines(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));

  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
