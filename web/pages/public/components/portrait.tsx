import { imageWidths } from '#contract/image-widths.ts';
import type { Portrait as PortraitFile } from '#contract/site/fields.ts';

/** A portrait from the site's content, cropped to the page's shape and size. */
export function Portrait({
  portrait: { file, dark, alt },
  width,
  height,
  lazy = false,
  className,
}: {
  portrait: PortraitFile;
  /** `width` and `height` only give the aspect ratio; the page's CSS sets the size. */
  width: number;
  height: number;
  /** True for a picture below the first screen: the browser loads it when the user scrolls near it. */
  lazy?: boolean;
  className?: string | undefined;
}) {
  return (
    <picture>
      {dark && <source srcSet={sourcesOf(dark)} media="(prefers-color-scheme: dark)" />}
      <img
        className={className}
        // In a preview, `file` can be empty.
        src={file || undefined}
        srcSet={sourcesOf(file) || undefined}
        alt={alt}
        width={width}
        height={height}
        loading={lazy ? 'lazy' : undefined}
        // On a phone, the text is above the picture, so the text's fonts should load first.
        fetchPriority="low"
        decoding="async"
      />
    </picture>
  );
}

/** The `srcset` of a picture. The server has smaller versions of a stored picture, for 1x and 2x screens. */
const sourcesOf = (file: string) =>
  file.startsWith('/files/')
    ? imageWidths.map((width, index) => `${file}&width=${width} ${index + 1}x`).join(', ')
    : file;
