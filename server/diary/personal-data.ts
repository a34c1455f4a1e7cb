import { dayInBrasilia } from '#contract/calendar.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { listConsents } from './consent.ts';
import { exportDiary } from './files.ts';
import { removeClinician } from './sharing/clinicians.ts';
import { listNotes } from './sharing/notes.ts';
import { listReads, listShares } from './sharing/shares.ts';
import { listAssignments } from './week/week.ts';

/** Foreign keys delete the rows of the account; the shares of a clinician's patients stay, and end. */
export const diaryData: PersonalData = {
  tables: [
    'diaries',
    'diaryConsents',
    'diaryEntries',
    'clinicians',
    'diaryShares',
    'diaryReads',
    'consultationNotes',
    'assignments',
  ],

  async exportFor(database, { uid }, { diaryMasterKey }) {
    const diary = await exportDiary({ database, diaryMasterKey }, uid);
    const clinician = await database
      .selectFrom('clinicians')
      .select(['name', 'crm', 'namedAt'])
      .where('uid', '=', uid)
      .executeTakeFirst();
    return {
      diary: diary.entries.length + diary.unreadable.length > 0 && diary,
      diaryConsents: await listConsents(database, uid),
      diaryShares: await listShares(database, uid),
      diaryReads: await listReads(database, uid),
      consultationNotes: await listNotes({ database, diaryMasterKey, today: dayInBrasilia(Date.now()) }, uid),
      assignments: await listAssignments({ database, diaryMasterKey }, uid),
      clinician: clinician ? { ...clinician, namedAt: Number(clinician.namedAt) } : false,
    };
  },

  async deleteFor(transaction, { uid }) {
    await removeClinician(transaction, uid);
  },
};
