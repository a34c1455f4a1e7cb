import type { SiteContent } from '#contract/site/content.ts';

/** The message from the editor to the preview in its frame. It contains what the admin has typed so far. */
export type EditorMessage = {
  kind: 'acolhe:typed';
  sections: Partial<SiteContent>;
  /** The preview scrolls to these words. They come from the field that the admin edits. */
  words?: string | undefined;
};

/** The preview sends this message to the editor as soon as the preview can receive messages. */
export type PreviewMessage = { kind: 'acolhe:preview-ready' };

/** True if a message comes from `sender`, a window of this site. */
export const isFrom = ({ origin, source }: MessageEvent, sender: Window | null | undefined): boolean =>
  origin === window.location.origin && source !== null && source === sender;
