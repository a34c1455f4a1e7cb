import { createContext, use } from 'react';
import { isOfAdmins } from '#contract/site/draft.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import type { Path } from './values.ts';

/** What the fields of a section need from its editor. */
export type SectionEditing = {
  content: unknown;
  /** Replaces the value at a path. @param next the new value, or a function from the old value to the new */
  change(path: Path, next: unknown): void;
  /**
   * Returns the error that the field at a path shows.
   * @param own if true, ignores errors of the texts inside the value, because those texts have their own
   * fields
   */
  errorAt(path: Path, own?: boolean): string | undefined;
  /** True if a field inside this value shows an error. */
  hasErrorIn(path: Path): boolean;
  /** Reports that the user has left the field. From now on, the field shows its errors. */
  leave(path: Path): void;
  /** Scrolls the preview to these words. @param page the page that the preview shows from now on */
  showInPreview(words: string, page?: string): void;
  /** True if "Ainda é o exemplo" marks the field. */
  isSample(path: Path): boolean;
  setBusy(path: Path, busy: boolean): void;
};

export const SectionEditingContext = createContext<SectionEditing | undefined>(undefined);

export function useSectionEditing(): SectionEditing {
  const editing = use(SectionEditingContext);
  if (!editing) throw new Error('A field of a section needs a section editor around it');
  return editing;
}

/** Returns whether this user may hide, show and confirm a part, such as `home.fees`. */
export function useMayDecide(): (name: string) => boolean {
  const byAdmin = isAdmin(useSession());
  return (name) => byAdmin || !isOfAdmins(name);
}

/** The id of the field at a path. */
export const fieldId = (path: Path) => ['campo', ...path].join('-');
