import { dayOf } from '../database/database-time.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { exportDiary } from './files.ts';
import { listNotes } from './notes.ts';
import { listReads, listShares } from './shares.ts';

/** Foreign keys delete the diary with the account. */
export const diaryData: PersonalData = {
  tables: ['diaries', 'diaryEntries', 'clinicians', 'diaryShares', 'diaryReads', 'consultationNotes'],

  async exportFor(database, { uid }, { diaryMasterKey }) {
    const diary = await exportDiary({ database, diaryMasterKey }, uid);
    return {
      diary: diary.entries.length + diary.unreadable.length > 0 && diary,
      diaryShares: await listShares(database, uid),
      diaryReads: await listReads(database, uid),
      consultationNotes: await listNotes({ database, diaryMasterKey, today: dayOf(Date.now()) }, uid),
    };
  },
};
