/** A part of a text, and whether the other text also has it. */
export type ComparedPart = { text: string; shared: boolean };

/** The maximum of pairs of lines in a comparison. Its table takes 4 bytes for each pair: at most 40 MB. */
const maxLinePairs = 10_000_000;
/** Comparing more pairs of words takes too long, so a passage with more pairs is marked as a whole. */
const maxWordPairs = 1_000_000;

/**
 * Compares two texts line by line, and then word by word where lines differ. Splits each text into parts that
 * both texts have and parts that only this text has.
 */
export function compareTexts(one: string, other: string): [ComparedPart[], ComparedPart[]] {
  const [a, b] = [linesOf(one), linesOf(other)];
  const [inOne, inOther]: [ComparedPart[], ComparedPart[]] = [[], []];
  let at: [number, number] = [0, 0];
  for (const [i, j] of [...commonItems(a, b), [a.length, b.length] as [number, number]]) {
    compareWords(a.slice(at[0], i).join(''), b.slice(at[1], j).join(''), [inOne, inOther]);
    add(inOne, a[i] ?? '', true);
    add(inOther, b[j] ?? '', true);
    at = [i + 1, j + 1];
  }
  return [inOne, inOther];
}

function compareWords(one: string, other: string, [inOne, inOther]: [ComparedPart[], ComparedPart[]]) {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const trimmed = (words: string[]) => words.map((word) => word.trim());
  const pairs = a.length * b.length > maxWordPairs ? [] : commonItems(trimmed(a), trimmed(b));
  const [sharedA, sharedB] = [new Set(pairs.map(([i]) => i)), new Set(pairs.map(([, j]) => j))];
  for (const [index, word] of a.entries()) add(inOne, word, sharedA.has(index));
  for (const [index, word] of b.entries()) add(inOther, word, sharedB.has(index));
}

/** Appends `text` to the last part if that part has the same `shared`; otherwise adds a part. */
function add(parts: ComparedPart[], text: string, shared: boolean) {
  if (text === '') return;
  const last = parts.at(-1);
  if (last?.shared === shared) last.text += text;
  else parts.push({ text, shared });
}

/** Splits a text into lines, each with its line break. */
const linesOf = (text: string) => text.split(/(?<=\n)/);

/** Splits a text into words, each with the white space after it. */
const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

/**
 * Merges two edits of a text. If both edits changed the same lines, the result has the lines of `saved` and
 * then those of `mine`, and `clean` is false.
 */
export function mergeTexts({ base, mine, saved }: { base: string; mine: string; saved: string }): {
  text: string;
  clean: boolean;
} {
  const [baseLines, mineLines, savedLines] = [base.split('\n'), mine.split('\n'), saved.split('\n')];
  const inMine = new Map(commonItems(baseLines, mineLines));
  const inSaved = new Map(commonItems(baseLines, savedLines));
  const merged: string[] = [];
  let clean = true;
  let at = { base: 0, mine: 0, saved: 0 };

  function takeUpTo(end: typeof at) {
    const before = baseLines.slice(at.base, end.base);
    const ours = mineLines.slice(at.mine, end.mine);
    const theirs = savedLines.slice(at.saved, end.saved);
    if (same(ours, theirs) || same(ours, before)) merged.push(...theirs);
    else if (same(theirs, before)) merged.push(...ours);
    else {
      merged.push(...theirs, ...ours);
      clean = false;
    }
  }

  for (const [index, line] of baseLines.entries()) {
    const [mineIndex, savedIndex] = [inMine.get(index), inSaved.get(index)];
    if (mineIndex === undefined || savedIndex === undefined) continue;
    takeUpTo({ base: index, mine: mineIndex, saved: savedIndex });
    merged.push(line);
    at = { base: index + 1, mine: mineIndex + 1, saved: savedIndex + 1 };
  }
  takeUpTo({ base: baseLines.length, mine: mineLines.length, saved: savedLines.length });
  return { text: merged.join('\n'), clean };
}

const same = (one: string[], other: string[]) =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** Finds the longest common subsequence, as pairs of indexes. Returns no pairs if the arrays are too long. */
function commonItems(a: string[], b: string[]): [number, number][] {
  if (a.length * b.length > maxLinePairs) return [];
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
