import { type FileKind, kindOfFile, storageMessages } from '#contract/storage.ts';
import type { Session } from '#server/auth/guards.ts';
import { AppError } from '#server/http/errors.ts';

/** What somebody wants to do with a file: `write` is to bring or to delete it. */
type Purpose = 'write' | 'look';

/**
 * What a file at this path is for, once it is clear that this person may do so: the library's files are the
 * admins', a profile picture is its person's, and admins may look at it. Whether the file exists plays no part.
 * @throws AppError `storage/invalid-argument` when no file can be there; `storage/unauthorized`
 */
export function requirePermission(path: string, { uid, member }: Session, purpose: Purpose): FileKind {
  const kind = kindOfFile(path);
  if (kind === undefined) {
    throw new AppError('storage/invalid-argument', {
      message: `'${path.slice(0, 300)}' is not a path of a file.`,
    });
  }
  const isOwn = kind === 'profile-picture' && path.split('/')[1] === uid;
  const isAdmins = kind !== 'profile-picture' || purpose === 'look';
  if (isOwn || (isAdmins && member === 'admin')) return kind;
  throw new AppError('storage/unauthorized', { message: storageMessages.unauthorized(path) });
}
