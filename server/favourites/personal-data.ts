import { practicePath } from '#contract/practices/path.ts';
import type { PersonalData } from '../database/personal-data.ts';

export const favouriteData: PersonalData = {
  tables: ['favourites'],

  async exportFor(database, { uid }) {
    const rows = await database
      .selectFrom('favourites')
      .leftJoin('activities', (join) =>
        join.onRef('activities.id', '=', 'favourites.activityId').on('activities.visibility', '=', 'public'),
      )
      .select(['activityId as id', 'title', 'favourites.createdAt as keptAt'])
      .where('uid', '=', uid)
      .orderBy('favourites.createdAt')
      .execute();
    const favourites = rows.map(({ id, title, keptAt }) => ({
      title,
      path: practicePath({ id, title: title ?? '' }),
      keptAt,
    }));
    return { favourites };
  },
};
