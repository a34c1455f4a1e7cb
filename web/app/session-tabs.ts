import type { SessionInfo } from '#contract/user.ts';

/** What another tab reports: its session, or `undefined` after a sign-out. */
export type TabNews = { session: SessionInfo | undefined };

export type Tabs = { send: (news: TabNews) => void; close: () => void };

/** Opens the channel between the tabs of this browser. The browser does not store its messages. */
export function openTabs(onNews: (news: TabNews) => void): Tabs {
  // Without BroadcastChannel, a tab notices the end of the session at its next call to the server.
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:session');
  channel.addEventListener('message', ({ data }: MessageEvent<TabNews>) => onNews(data));
  return { send: (news) => channel.postMessage(news), close: () => channel.close() };
}
