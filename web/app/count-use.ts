import type { PracticeEvent } from '#contract/practices/totals.ts';
import { loadClient } from './api.ts';
import type { Services } from './services.ts';

/** The uses counted since the page was loaded. They are in memory, so that the browser stores nothing. */
const counted = new Set<string>();

/**
 * Counts a use of a practice for the anonymous totals, but each kind of use only once until the page is
 * reloaded. Does nothing in a preview, or if the clinic has switched counting off. After a failed request,
 * there is no message and no retry.
 */
export function countUse(services: Services, id: string, event: PracticeEvent['event']) {
  const use = `${event} ${id}`;
  if (services.content.site.basename !== undefined || counted.has(use)) return;
  counted.add(use);
  sendUse(services, { id, event }).catch(() => {});
}

async function sendUse({ content }: Services, use: PracticeEvent) {
  await content.load('practices');
  if (content.get('practices').countsUse) await (await loadClient()).documents.countUse(use);
}
