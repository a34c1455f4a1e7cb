import type { Client } from '#client/client.ts';
import type { DiaryClient } from '#client/diary.ts';
import { diaryTerms } from '#contract/diary/consent.ts';

/** Gives the consent that a diary needs. @returns the client of the user's diary */
export async function beginDiary(client: Client): Promise<DiaryClient> {
  const diary = await client.diary();
  await diary.giveConsent(diaryTerms);
  return diary;
}
