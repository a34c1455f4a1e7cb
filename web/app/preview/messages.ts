import type { SiteContent } from '#contract/site/content.ts';

/** What the editor sends to the preview in its frame: the sections as they are typed. */
export type EditorMessage = {
  kind: 'acolhe:typed';
  sections: Partial<SiteContent>;
  /** The words of the field that the admin edits: the preview scrolls to them. */
  words?: string | undefined;
};

/** What the preview sends to the editor once it can receive messages. */
export type PreviewMessage = { kind: 'acolhe:preview-ready' };

/** True if a message comes from `sender`, a window of this site. */
export const isFrom = ({ origin, source }: MessageEvent, sender: Window | null | undefined): boolean =>
  origin === window.location.origin && source !== null && source === sender;
