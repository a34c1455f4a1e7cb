import type { PersonalData } from '../database/personal-data.ts';
import { discard } from './files/discarded.ts';

export const fileData: PersonalData = {
  tables: ['files', 'uploads'],

  async exportFor(database, { uid }) {
    const files = await database
      .selectFrom('files')
      .select(['path', 'contentType', 'sizeBytes', 'createdAt'])
      .where('ownerId', '=', uid)
      .orderBy('createdAt')
      .execute();
    return { files };
  },

  /** Files of the library and of the site stay. The content of deleted files is only marked for removal. */
  async deleteFor(transaction, { uid }) {
    const own = await transaction
      .deleteFrom('files')
      .where('ownerId', '=', uid)
      .where((row) =>
        row.or([
          row('path', 'like', 'profilePics/%'),
          row('path', 'like', 'moodImages/%'),
          row('path', 'like', 'moodAudios/%'),
        ]),
      )
      .returning('key')
      .execute();
    const uploads = await transaction
      .deleteFrom('uploads')
      .where('ownerId', '=', uid)
      .where('finishedAt', 'is', null)
      .returning(['key', 'storeState'])
      .execute();
    await discard(transaction, [...own.map(({ key }) => ({ key, storeState: '' })), ...uploads]);
  },
};
