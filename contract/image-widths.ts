/**
 * The server also keeps images at these widths. `&width=` selects one; `Accept` the format (AVIF, WebP).
 * Not beside the limits, which visitors need not load.
 */
export const imageWidths = [480, 960] as const;
