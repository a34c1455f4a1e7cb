import { dayAfter } from '../calendar.ts';
import type { DiaryTexts } from '../site/diary.ts';
import { foldForSearch } from '../text.ts';
import type { DiaryEntry } from './entry.ts';

/**
 * True if a text contains one of the phrases: the same words one after another, whatever their accents, their
 * case and the punctuation between them.
 */
export function matchesCrisis(text: string, phrases: readonly string[]): boolean {
  const said = ` ${wordsOf(text)} `;
  return phrases.some((phrase) => {
    const wanted = wordsOf(phrase);
    return wanted !== '' && said.includes(` ${wanted} `);
  });
}

/** What this file reads of an entry. */
type Said = Pick<DiaryEntry, 'day' | 'words' | 'intensity' | 'note' | 'toward'>;

/** Heavy words on this many days in a row show the help in a crisis. */
const heavyDays = 3;

/**
 * True if the page shows the help in a crisis after an entry was saved: for a heavy word at the highest
 * intensity, for heavy words on this day and the two before, or for a phrase of self-harm. Only the patient's
 * device calls this. The result is neither stored nor sent.
 * @param earlier the entries that the page knows, also of other days; they may contain `entry`
 * @param words the words of the clinic
 */
export function needsCrisisPanel({
  entry,
  earlier,
  words,
  phrases,
}: {
  entry: Said;
  earlier: readonly Pick<Said, 'day' | 'words'>[];
  words: DiaryTexts['words'];
  phrases: readonly string[];
}): boolean {
  const offered = new Set(words.map(({ word }) => foldForSearch(word)));
  // A word that the clinic offers counts by its mark, even if a phrase says the same.
  const own = entry.words.filter((word) => !offered.has(foldForSearch(word)));
  const texts = [entry.note, entry.toward?.words ?? '', ...own];
  if (texts.some((text) => matchesCrisis(text, phrases))) return true;
  const heavy = new Set(words.filter((one) => one.heavy).map(({ word }) => foldForSearch(word)));
  const isHeavy = (one: Pick<Said, 'words'>) => one.words.some((word) => heavy.has(foldForSearch(word)));
  if (!isHeavy(entry)) return false;
  if (entry.intensity === 5) return true;
  const days = new Set(earlier.filter(isHeavy).map(({ day }) => day)).add(entry.day);
  return Array.from({ length: heavyDays }, (_, back) => dayAfter(entry.day, -back)).every((day) =>
    days.has(day),
  );
}

const wordsOf = (text: string) =>
  foldForSearch(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
