/**
 * The server also keeps images at these widths. `&width=` selects one; `Accept` the format (AVIF, WebP).
 * In a file of its own, because visitors need not load the limits.
 */
export const imageWidths = [480, 960] as const;
