import type { SessionInfo } from '#contract/user.ts';

/** The session as another tab has it now; `undefined` after it signed out. */
export type TabNews = { session: SessionInfo | undefined };

export type Tabs = { tell: (news: TabNews) => void; close: () => void };

/** Opens the line between the tabs of this browser. Nothing said on it is stored. */
export function openTabs(onNews: (news: TabNews) => void): Tabs {
  // Where there is no such line, a tab learns of the end by its next call.
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:session');
  channel.addEventListener('message', ({ data }: MessageEvent<TabNews>) => onNews(data));
  return { tell: (news) => channel.postMessage(news), close: () => channel.close() };
}
