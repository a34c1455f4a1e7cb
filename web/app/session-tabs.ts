import type { SessionInfo } from '#contract/user.ts';

/** The session in another tab; `undefined` after it signed out. */
export type TabNews = { session: SessionInfo | undefined };

export type Tabs = { tell: (news: TabNews) => void; close: () => void };

/** Opens the channel between the tabs of this browser. Its messages are not stored. */
export function openTabs(onNews: (news: TabNews) => void): Tabs {
  // Without BroadcastChannel, a tab notices the end of the session with its next call.
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:session');
  channel.addEventListener('message', ({ data }: MessageEvent<TabNews>) => onNews(data));
  return { tell: (news) => channel.postMessage(news), close: () => channel.close() };
}
