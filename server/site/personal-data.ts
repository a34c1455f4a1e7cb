import type { PersonalData } from '../database/personal-data.ts';

/** The content stays when an account is deleted. Its foreign keys become null. */
export const siteData: PersonalData = {
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
};
