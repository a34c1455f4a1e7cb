import { epochMs } from '../database/database-time.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { getUser } from './users.ts';

export const userData: PersonalData = {
  tables: ['users', 'wordMood', 'accessLog'],

  async exportFor(database, { uid }) {
    const user = await getUser(database, uid);
    const account = await database
      .selectFrom('users')
      .select(['emailVerified', 'createdAt', 'lastSeenOn', 'ownName', 'ownPicture'])
      .where('id', '=', uid)
      .executeTakeFirstOrThrow();
    const mood = await database
      .selectFrom('wordMood')
      .select('record')
      .where('uid', '=', uid)
      .executeTakeFirst();
    const accessLog = await database
      .selectFrom('accessLog')
      .select(['at', 'actorName as by', 'actorId as byId', 'action', 'what'])
      .where('subjectId', '=', uid)
      .orderBy('at')
      .execute();
    return {
      user,
      emailVerified: Boolean(account.emailVerified),
      createdAt: epochMs(account.createdAt),
      lastSeenOn: account.lastSeenOn,
      nameFromGoogle: !account.ownName,
      pictureFromGoogle: !account.ownPicture && user.profilePic !== false,
      wordMood: mood ? (JSON.parse(mood.record) as Record<string, unknown>) : false,
      accessLog,
    };
  },

  async deleteFor(transaction, { uid }) {
    // Foreign keys delete the user's mood record and access log. If the user was an admin, the entries about
    // what they did stay in the access logs of other users.
    await transaction.deleteFrom('users').where('id', '=', uid).execute();
  },
};
