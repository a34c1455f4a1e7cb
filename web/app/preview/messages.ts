import type { SiteContent } from '#contract/site/content.ts';

/** The message from the editor to the preview in its frame. It contains what the admin has typed so far. */
export type EditorMessage = {
  kind: 'acolhe:typed';
  sections: Partial<SiteContent>;
  /** The words to which the preview scrolls. They come from the field that the admin edits. */
  words?: string | undefined;
};

/** The message from the preview to the editor, sent as soon as the preview can receive messages. */
export type PreviewMessage = { kind: 'acolhe:preview-ready' };

/** True if a message comes from `sender`, a window of this site. */
export const isFrom = ({ origin, source }: MessageEvent, sender: Window | null | undefined): boolean =>
  origin === window.location.origin && source !== null && source === sender;
