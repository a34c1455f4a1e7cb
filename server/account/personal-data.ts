import { signInData } from '../auth/personal-data.ts';
import type { PersonalData } from '../database/personal-data.ts';
import { diaryData } from '../diary/personal-data.ts';
import { favouriteData } from '../favourites/personal-data.ts';
import { libraryData } from '../library/personal-data.ts';
import { newsletterData } from '../newsletter/personal-data.ts';
import { reminderData } from '../reminders/personal-data.ts';
import { siteData } from '../site/personal-data.ts';
import { fileData } from '../storage/personal-data.ts';
import { userData } from '../users/personal-data.ts';

/**
 * The personal data of each feature (a folder of `server/`), in the order of deletion. The rows of `users`
 * are deleted last, because other rows refer to them.
 */
export const personalData: readonly PersonalData[] = [
  fileData,
  newsletterData,
  signInData,
  favouriteData,
  diaryData,
  reminderData,
  libraryData,
  siteData,
  userData,
];
