import type { PersonalData } from '../database/personal-data.ts';

export const siteData: PersonalData<'publishedVersions' | 'draftSections'> = {
  tables: ['siteVersions', 'siteDrafts'],

  async exportFor(database, { uid }) {
    const publishedVersions = await database
      .selectFrom('siteVersions')
      .select(['version', 'note', 'publishedAt'])
      .where('publishedBy', '=', uid)
      .orderBy('version')
      .execute();
    const draftSections = await database
      .selectFrom('siteDrafts')
      .select(['section', 'updatedAt as savedAt'])
      .where('updatedBy', '=', uid)
      .orderBy('section')
      .execute();
    return { publishedVersions, draftSections };
  },

  async deleteFor() {
    // The content stays. Its foreign keys become null when the user is deleted.
  },
};
