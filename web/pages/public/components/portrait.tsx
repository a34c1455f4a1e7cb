import type { Portrait as PortraitFile } from '#clinic/schema.ts';

/** A portrait of the clinic's own, cut to the shape and size that the page gives it. */
export function Portrait({
  portrait: { file, dark, alt },
  width,
  height,
  lazy = false,
  className,
}: {
  portrait: PortraitFile;
  /** The proportions of its place; the page's style says how large it is. */
  width: number;
  height: number;
  /** For a picture that is not in the first view. */
  lazy?: boolean;
  className?: string | undefined;
}) {
  return (
    <picture>
      {dark && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      <img
        className={className}
        src={file}
        alt={alt}
        width={width}
        height={height}
        loading={lazy ? 'lazy' : undefined}
        // Words first: on a phone they are above it, and the type they are set in comes on the same line.
        fetchPriority="low"
        decoding="async"
      />
    </picture>
  );
}
