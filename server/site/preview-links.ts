import { previewPath } from '#contract/site/document.ts';
import { createSignedTokens } from '../http/tokens.ts';

const lifeMs = 30 * 60_000;

export type PreviewLinks = ReturnType<typeof createPreviewLinks>;

/** Makes and checks the links of previews. Everyone who has a link sees the draft until the link expires. */
export function createPreviewLinks(authSecret: string) {
  const tokens = createSignedTokens<{ until: number }>(authSecret, 'site preview');
  return {
    /** @returns the path of a preview's home page, and when it expires, in epoch milliseconds */
    create(now = Date.now()): { path: string; expiresAt: number } {
      const expiresAt = now + lifeMs;
      return { path: `${previewPath}/${tokens.write({ until: expiresAt })}/`, expiresAt };
    },

    /** Returns when the link expires, in epoch milliseconds; `undefined` if it is not valid. */
    expiryOf(token: string, now = Date.now()): number | undefined {
      const until = tokens.read(token)?.until ?? 0;
      // A link that expires later than a new one was made before the clock was set back. It is not valid.
      return until > now && until <= now + lifeMs ? until : undefined;
    },
  };
}
