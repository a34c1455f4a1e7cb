import { useCallback, useMemo, useState } from 'react';
import { hasCode } from '#client/client-error.ts';
import { checkSection, isSection } from '#contract/site/checks.ts';
import { completeSection } from '#contract/site/complete.ts';
import type { SectionName } from '#contract/site/content.ts';
import type { DraftSection } from '#contract/site/draft.ts';
import { draftKey, listDrafts, removeDraft } from '../drafts/device-drafts.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { capital } from './capital.ts';
import type { SectionEditing } from './section-editing.ts';
import { isSame, type Path, valueAt, withValueAt } from './values.ts';

type Start = { content: DraftSection['content']; base: DraftSection; at?: number };

/**
 * The state of one section's editor. What the admin types stays on this device until it is saved.
 * @param opened the section from the server
 * @param uid the account's id; without it, nothing is kept on the device
 */
export function useSection(opened: DraftSection, uid: string | undefined, allShown: boolean) {
  const { section } = opened;
  const key = uid && draftKey(uid, `site.${section}`);
  const [start] = useState(() => startOf(opened, key));
  const [content, setContent] = useState<unknown>(start.content);
  /** The section that the typed content is based on. */
  const [base, setBase] = useState(start.base);
  const [recoveredAt, setRecoveredAt] = useState(start.at);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [showAll, setShowAll] = useState(allShown || start.at !== undefined);
  const [busy, setBusyPaths] = useState<ReadonlySet<string>>(new Set());

  const unsaved = !isSame(content, base.content);
  const findings = useMemo(() => checkSection(section, content), [section, content]);
  const { kept } = useDraft(key, {
    values: content,
    base: { tag: base.tag, content: base.content },
    unsaved,
  });

  const issues = [...findings.mistakes, ...findings.problems];
  const change = useCallback((path: Path, next: unknown) => {
    setContent((before: unknown) =>
      withValueAt(before, path, typeof next === 'function' ? next(valueAt(before, path)) : next),
    );
  }, []);
  const setBusy = useCallback((path: Path, isBusy: boolean) => {
    setBusyPaths((before) => {
      const after = new Set(before);
      after[isBusy ? 'add' : 'delete'](path.join('.'));
      return after;
    });
  }, []);
  const editing: Omit<SectionEditing, 'showInPreview' | 'isSample'> = {
    content,
    change,
    setBusy,
    leave: (path) => setTouched((before) => new Set(before).add(path.join('.'))),
    errorAt(path, own = false) {
      const place = path.join('.');
      if (!showAll && !touched.has(place)) return undefined;
      const found = issues.find(
        (issue) => issue.path === place || (!own && isInside(issue.path, place, content)),
      );
      return found && capital(found.message);
    },
    hasErrorIn: (path) => showAll && issues.some((issue) => issue.path.startsWith(`${path.join('.')}.`)),
  };

  return {
    content: content as DraftSection['content'],
    base,
    editing,
    mistakes: findings.mistakes,
    problems: findings.problems,
    unsaved,
    uploading: busy.size > 0,
    kept,
    recoveredAt,
    showAllErrors: () => setShowAll(true),

    /** Bases the editor on a section from the server. `now` is the content that the fields show. */
    adopt(saved: DraftSection, now: unknown = saved.content) {
      setBase(saved);
      setContent(now);
      setRecoveredAt(undefined);
    },

    /** Continues after a save. Keeps what the admin has typed during the save as an unsaved change. */
    adoptSaved(saved: DraftSection, sent: unknown) {
      setBase(saved);
      setContent((now: unknown) => (isSame(now, sent) ? saved.content : now));
      setRecoveredAt(undefined);
    },

    /** Discards what the admin has typed, and continues with the section from the server. */
    dropTyped() {
      if (key) removeDraft(key);
      this.adopt(opened);
    },
  };
}

/** Starts with the typed content that this device has kept, or else with the section from the server. */
function startOf(opened: DraftSection, key: string | undefined): Start {
  const [kept] = key ? listDrafts((one) => one === key) : [];
  const base = (kept?.base ?? {}) as Partial<DraftSection>;
  const { section } = opened;
  const values = completeSection(section, kept?.values);
  const content = completeSection(section, base.content);
  const fits = kept && isSection(section, values) && isSection(section, content) && base.tag;
  if (!fits || isSame(values, opened.content)) {
    if (key) removeDraft(key);
    return { content: opened.content, base: opened };
  }
  // Keep the tag of the draft's old base: if another admin has changed the section since, the next save shows
  // a conflict.
  return { content: values, base: { ...opened, tag: base.tag ?? '', content }, at: kept.at };
}

/** The content as the server stores it after a save. */
export function storedContent(section: SectionName, content: unknown): DraftSection['content'] {
  return completeSection(section, checkSection(section, content).content ?? content);
}

/** True if the field at `place` shows several texts, and one of them has the issue. */
const isInside = (issuePath: string, place: string, content: unknown): boolean =>
  issuePath.startsWith(`${place}.`) &&
  Array.isArray(valueAt(content, place.split('.'))) &&
  /^\d+(?:\.\d+)?$/.test(issuePath.slice(place.length + 1));

/** A section that another admin has saved since this editor read it. */
export type NewerSection = {
  saved: DraftSection;
  /** The name of the admin who saved it; `undefined` when the account is deleted. */
  savedBy: string | undefined;
};

/** Returns the newer section from the error of a refused save or discard; `undefined` for any other error. */
export function newerSection(error: unknown): NewerSection | undefined {
  if (!hasCode(error, 'documents/precondition-failed')) return undefined;
  return { saved: error.current as DraftSection, savedBy: error.changedBy?.name };
}
