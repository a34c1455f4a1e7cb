import type { Activity } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import type { ImportedSignIn } from '#server/auth/sign-in-methods.ts';
import type { ImportedUser } from '#server/users/import-users.ts';
import { isOneAddress, type OldFile, rewriteAddresses } from './addresses.ts';
import type { Contents, Place } from './contents.ts';
import type { Report } from './report.ts';
import type { Plain } from './typed-values.ts';

/** What will be imported, except files. */
export type Plan = {
  users: ImportedUser[];
  signIns: ImportedSignIn[];
  moods: { uid: string; record: Record<string, Plain> }[];
  lists: Map<ListName, Activity[]>;
};

/** The document and the field that contain a URL, for the report. */
export type Where = { id: string; field: string };

/** Converts URLs of old files to URLs of this site, and reports those that cannot be converted. */
export type Rewriting = {
  /**
   * Converts a field whose whole text is one URL, such as `image` or `audio`.
   * @returns a path on this site; the same text if it is not the URL of an old file; undefined if the file is
   * missing or refused
   */
  field(text: string, place: Place, where: Where): string | undefined;
  /** Converts all URLs of old files in a text to URLs of this site. A URL without a file stays as it is. */
  text(text: string, place: Place, where: Where): string;
};

export function createRewriting(contents: Contents, report: Report, publicUrl: string): Rewriting {
  function find(file: OldFile, place: Place, { id, field }: Where): string | undefined {
    const planned = contents.use(file, place);
    if (!planned) report.reject(id, field, 'Aqui há o endereço de um arquivo que a exportação não tem.');
    else if (planned.refusal !== undefined)
      report.reject(id, field, `Aqui há o endereço de um arquivo que foi recusado. ${planned.refusal}`);
    else return paths.storage.file(planned.path, planned.token);
    return undefined;
  }

  return {
    field(text, place, where) {
      if (!isOneAddress(text)) return text;
      let isMissing = false;
      const next = rewriteAddresses(text.trim(), contents.isKnown, (file) => {
        const found = find(file, place, where);
        isMissing ||= found === undefined;
        return found;
      });
      return isMissing ? undefined : next;
    },

    text: (text, place, where) =>
      rewriteAddresses(text, contents.isKnown, (file) => {
        const found = find(file, place, where);
        return found === undefined ? undefined : publicUrl + found;
      }),
  };
}
