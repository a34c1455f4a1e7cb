import { createHash } from 'node:crypto';

/** Returns an id that the routes accept, always the same for the same old id. */
export const hashedId = (old: string): string =>
  `f${createHash('sha256').update(old).digest('base64url').slice(0, 27)}`;

/** Ids that every route of users and files accepts. None begins with `__`, which could mean `__proto__`. */
const userId = /^(?!__)[A-Za-z0-9_-]{1,64}$/;
const activityId = /^(?!__)[A-Za-z0-9_-]{1,100}$/;

export const newUserId = (old: string): string => (userId.test(old) ? old : hashedId(`user ${old}`));
export const newActivityId = (old: string): string =>
  activityId.test(old) ? old : hashedId(`activity ${old}`);
/** Converts the last segment of an old file path to an id that the server accepts. */
export const newFileId = (old: string): string => (userId.test(old) ? old : hashedId(`file ${old}`));
