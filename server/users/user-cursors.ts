import { createHash } from 'node:crypto';
import type { UsersPage } from '#contract/user.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { foldForSearch } from '../database/search-key.ts';
import { AppError } from '../http/errors.ts';
import { createSignedTokens } from '../http/signed-tokens.ts';
import type { Place, Selection } from './list-users.ts';

/** How many people the first page has counted; later pages say the same. */
export type Totals = Pick<UsersPage, 'total' | 'totalIsExact'>;

type Content = { selection: string; place: Place; totals: Totals };

/**
 * Cursors of the list of users. They are signed and belong to one selection: with a cursor of their own making,
 * admins could find out about people whom no page shows, and whose access log would not tell.
 */
export function createUserCursors(authSecret: string, kind: DatabaseKind) {
  const tokens = createSignedTokens<Content>(authSecret, 'cursor of users');

  /** Places are written differently by the two databases. */
  const digestOf = ({ search = '', sort, order }: Selection) =>
    createHash('sha256')
      .update(JSON.stringify([kind, foldForSearch(search), sort, order]))
      .digest('base64url')
      .slice(0, 22);

  return {
    write: (selection: Selection, place: Place, totals: Totals): string =>
      tokens.write({ selection: digestOf(selection), place, totals }),

    /** @throws AppError `request/invalid` for anything that `write` did not make for this selection */
    read(cursor: string, selection: Selection): { place: Place; totals: Totals } {
      const content = tokens.read(cursor);
      if (content?.selection === digestOf(selection)) return content;
      throw new AppError('request/invalid', {
        issues: [{ path: 'after', message: 'Use o valor de `next` da página anterior.' }],
      });
    },
  };
}
