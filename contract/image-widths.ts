/**
 * The server also stores images at these widths. `&width=` selects a width, and `Accept` selects the format
 * (AVIF, WebP). The widths are not in limits.ts, so that visitors' browsers do not load that file.
 */
export const imageWidths = [480, 960] as const;
