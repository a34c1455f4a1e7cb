import { type FileKind, kindOfFile, ownerOfFile, storageMessages } from '#contract/storage.ts';
import type { Session } from '#server/auth/guards.ts';
import { AppError } from '#server/http/errors.ts';
import { isEditor } from '#server/permissions.ts';

/** `write` means to add or delete a file; `look` means to read its metadata or its download URL. */
type Purpose = 'write' | 'look';

/**
 * Checks the permission and returns the kind of file at this path. Editors and admins own the files of the
 * library and of the site. Users own their profile picture, which admins may also read, and the files of
 * their mood record, which no one else may read. Only an import writes the files of a mood record. The result
 * does not depend on whether the file exists.
 * @throws AppError `storage/invalid-argument` when the path is not valid; `storage/unauthorized`
 */
export function requirePermission(path: string, { uid, member }: Session, purpose: Purpose): FileKind {
  const kind = kindOfFile(path);
  if (kind === undefined) {
    throw new AppError('storage/invalid-argument', {
      message: `'${path.slice(0, 300)}' is not a path of a file.`,
    });
  }
  const owner = ownerOfFile(path);
  const isOwn = owner === uid && (kind === 'profile-picture' || purpose === 'look');
  const isAdmins = purpose === 'look' && kind === 'profile-picture' && member === 'admin';
  if (isOwn || isAdmins || (owner === undefined && isEditor(member))) return kind;
  throw new AppError('storage/unauthorized', { message: storageMessages.unauthorized(path) });
}
