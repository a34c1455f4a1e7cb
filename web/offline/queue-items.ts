import type { DiaryChange, DiaryEntry, DiaryFile } from '#contract/diary/entry.ts';
import { type MergedEntry, mergeChange } from '#contract/diary/merge.ts';
import { blankDraft, type Draft } from '#web/components/diary/draft.ts';

/** A change that waits. The patient saw the note as the change `on` left it, if there is such a change. */
export type QueuedChange = { change: DiaryChange; on?: string | undefined };

/** Why the server has refused a change. `index` is its place in the item; those before it are stored. */
export type Refusal = { code: string; message: string; index: number };

export type Item = {
  /** Epoch milliseconds by the clock of this device. Only for the order on the page. */
  writtenAt: number;
  /** True if a request may have reached the server. */
  tried: boolean;
} & (
  | {
      isDeletion: true;
      /** What waited before, if the patient takes the deletion back. */
      before: Changes | undefined;
    }
  | Content
);
type Content = {
  isDeletion?: never;
  /** The entry as the patient saw it; undefined for a new entry. */
  base: DiaryEntry | undefined;
  changes: QueuedChange[];
  refused?: Refusal | undefined;
};
export type Changes = Pick<Item, 'writtenAt' | 'tried'> & Content;

/** What waits on this device for one entry. */
export type Waiting = { id: string; version: string; writtenAt: number } & (
  | { kind: 'deletion' }
  /** The item is damaged. */
  | { kind: 'unreadable' }
  | { kind: 'entry'; item: Changes; entry: DiaryEntry; isNew: boolean; refused: Refusal | undefined }
);
export type WaitingEntry = Extract<Waiting, { kind: 'entry' }>;

/** The code of a refusal that the server does not know: the entry was deleted on another device. */
export const deletedElsewhere = 'deleted';

/** What the patient has written, on which calendar day and in which time zone. */
export type Written = { draft: Draft; day: string; zone: string };

export const deletion = (before?: Changes): Item => ({
  ...{ writtenAt: Date.now(), tried: false, isDeletion: true, before },
});

export const changeOf = ({ day, zone }: Written, fields: object): DiaryChange => ({
  change: crypto.randomUUID(),
  day,
  zone,
  ...fields,
});

/** Returns the content of an item after its first changes, as the server merges them. */
export function contentOf({ base, changes }: Changes, count = changes.length): MergedEntry {
  let content: MergedEntry = base
    ? { ...base, noteRevision: base.revision, changes: [] }
    : { ...blankDraft, joined: false, noteRevision: 0, changes: [] };
  const revisions = new Map<string, number>();
  let revision = base?.revision ?? 0;
  for (const { change, on } of changes.slice(0, count)) {
    revision += 1;
    const { note } = change;
    const seen = on === undefined ? undefined : revisions.get(on);
    const local = note && seen !== undefined ? { ...change, note: { ...note, base: seen } } : change;
    const merged = mergeChange(content, local, revision);
    if (merged !== 'full') content = merged;
    revisions.set(change.change, revision);
  }
  return content;
}

export function entryOf(id: string, item: Changes): DiaryEntry {
  const { noteRevision: _, changes: __, ...fields } = contentOf(item);
  const { base, writtenAt } = item;
  const [first] = item.changes;
  return {
    ...fields,
    id,
    revision: base?.revision ?? 0,
    day: base?.day ?? first?.change.day ?? '',
    zone: base?.zone ?? first?.change.zone ?? '',
    createdAt: base?.createdAt ?? writtenAt,
  };
}

/** Returns the waiting entries as a file that the diary can import. A changed entry gets a new id. */
export function fileOf(waiting: readonly Waiting[]): DiaryFile {
  return {
    ...{ format: 'acolhe-diary', version: 1, exportedAt: Date.now(), unreadable: [] },
    entries: waiting.flatMap((one) => {
      if (one.kind !== 'entry') return [];
      const { revision: _, ...entry } = one.entry;
      return [{ ...entry, id: one.isNew ? one.id : crypto.randomUUID() }];
    }),
  };
}
