import { paths } from '#contract/paths.ts';
import type { PracticeEvent, PracticeTotals } from '#contract/practices/totals.ts';
import type { Send } from './http.ts';
import { readResponse } from './read-response.ts';

export const createPracticeTotals = (send: Send) => ({
  /**
   * Counts one use of a practice. The request has no cookie, so the server cannot know whose use it is. The
   * request continues when the visitor leaves the page.
   */
  async countUse(use: PracticeEvent): Promise<void> {
    const sent = { credentials: 'omit', keepalive: true } as const;
    await send(paths.documents.practiceEvents, { method: 'POST', body: use, ...sent });
  },

  /**
   * Reads how often visitors used the practices. Admin only.
   * @param month for example `2026-11`; by default, the current month
   */
  async getPracticeTotals(month?: string, signal?: AbortSignal): Promise<PracticeTotals> {
    const query = month === undefined ? '' : `?month=${month}`;
    const sent = send(paths.documents.practiceTotals + query, { signal });
    const { body, schemas } = await readResponse(sent);
    return schemas.practiceTotals.parse(body);
  },
});
