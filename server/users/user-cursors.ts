import { createHash } from 'node:crypto';
import { foldForSearch } from '#contract/text.ts';
import type { UsersPage } from '#contract/user.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { createSignedTokens } from '../http/tokens.ts';
import type { Place, Selection } from './list-users.ts';

/** The counts of the first page, which later pages repeat. */
export type Totals = Pick<UsersPage, 'total' | 'totalIsExact'>;

type Content = { selection: string; place: Place; totals: Totals };

/**
 * Creates signed cursors for the list of users. Each is valid for one selection only. With forged cursors, an
 * admin could learn about users whom no page shows, without an entry in those users' access logs.
 */
export function createUserCursors(authSecret: string, kind: DatabaseKind) {
  const tokens = createSignedTokens<Content>(authSecret, 'cursor of users');

  /** The digest includes `kind`, because the two databases represent positions differently. */
  const digestOfSelection = ({ search = '', role, verified, since, sort, order }: Selection) =>
    createHash('sha256')
      .update(JSON.stringify([kind, foldForSearch(search), role, verified, since, sort, order]))
      .digest('base64url')
      .slice(0, 22);

  return {
    write: (selection: Selection, place: Place, totals: Totals): string =>
      tokens.write({ selection: digestOfSelection(selection), place, totals }),

    /** @throws AppError `request/invalid` unless `write` made the cursor for this selection */
    read(cursor: string, selection: Selection): { place: Place; totals: Totals } {
      const content = tokens.read(cursor);
      if (content?.selection === digestOfSelection(selection)) return content;
      throw new AppError('request/invalid', {
        issues: [{ path: 'after', message: 'Use o valor de `next` da página anterior.' }],
      });
    },
  };
}
