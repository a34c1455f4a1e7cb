/** The image that chats and social networks show next to a link to the site. Lengths are in pixels. */
export const shareImage = { width: 1200, height: 630, type: 'image/png' } as const;

/** `dist/share-image/design.json`: what is the same in every share image. */
export type ShareDesign = {
  /** SVG of the whole image, without texts and portrait. */
  background: string;
  /** `mask` is an SVG whose shape crops the portrait. */
  portrait: { left: number; top: number; width: number; height: number; mask: string };
  /** The names of the font families in `dist/share-image/fonts`. */
  families: { title: string; text: string };
};
