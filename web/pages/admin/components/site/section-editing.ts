import { createContext, use } from 'react';
import type { Path } from './values.ts';

/** What the fields of a section need from its editor. */
export type SectionEditing = {
  content: unknown;
  /** Replaces the value at a path. @param next the new value, or a function of the value before */
  change(path: Path, next: unknown): void;
  /** @param own true to leave out errors of the texts inside, whose fields show them */
  errorAt(path: Path, own?: boolean): string | undefined;
  /** True if a field inside of this value shows an error. */
  hasErrorIn(path: Path): boolean;
  /** The user has left the field, so it may show an error. */
  leave(path: Path): void;
  /** Shows the place of these words in the preview. */
  showInPreview(words: string): void;
  setBusy(path: Path, busy: boolean): void;
};

export const SectionEditingContext = createContext<SectionEditing | undefined>(undefined);

export function useSectionEditing(): SectionEditing {
  const editing = use(SectionEditingContext);
  if (!editing) throw new Error('A field of a section needs a section editor around it');
  return editing;
}

/** The id of the field at a path. */
export const fieldId = (path: Path) => ['campo', ...path].join('-');
