import type { PersonalData } from '../database/personal-data.ts';
import { listConsents } from './consent.ts';
import { exportDiary } from './files.ts';

/** Foreign keys delete the diary with the account. */
export const diaryData: PersonalData = {
  tables: [
    'diaries',
    'diaryConsents',
    'diaryEntries',
    'clinicians',
    'diaryShares',
    'diaryReads',
    'consultationNotes',
  ],

  async exportFor(database, { uid }, { diaryMasterKey }) {
    const diary = await exportDiary({ database, diaryMasterKey }, uid);
    return {
      diary: diary.entries.length + diary.unreadable.length > 0 && diary,
      diaryConsents: await listConsents(database, uid),
    };
  },
};
