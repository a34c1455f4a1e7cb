import { limits } from '#contract/limits.ts';

/** Sizes and qualities to try until the photo is small enough. The first is larger than any page shows. */
const attempts = [
  { longestSidePx: 1_600, quality: 0.9 },
  { longestSidePx: 1_200, quality: 0.8 },
  { longestSidePx: 800, quality: 0.7 },
  { longestSidePx: 400, quality: 0.7 },
];
/** The maximum for a shrunk photo. `maxBytes` can be the default, and the server's maximum can be lower. */
const enoughBytes = 1_000_000;
/** The types that the server accepts unchanged. */
const accepted = /^image\/(?:jpeg|png|webp)$/;

/**
 * Shrinks a photo to the server's maximum for profile pictures. It also converts formats that only this
 * browser can read (HEIC on an iPhone). A converted photo has no metadata, such as place and time; an
 * unchanged file keeps its metadata.
 * @returns the same file when it already fits, or when the browser cannot shrink it
 */
export async function shrinkPhoto(file: File, maxBytes: number): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  try {
    const fits = picture.width * picture.height <= limits.profilePictureMaxPixels && file.size <= maxBytes;
    if (fits && accepted.test(file.type)) return file;
    for (const attempt of attempts) {
      const small = await drawAsJpeg(picture, attempt);
      if (small && small.size <= Math.min(maxBytes, enoughBytes))
        return new File([small], file.name, { type: small.type, lastModified: file.lastModified });
    }
    return file;
  } finally {
    picture.close();
  }
}

async function drawAsJpeg(
  picture: ImageBitmap,
  { longestSidePx, quality }: (typeof attempts)[number],
): Promise<Blob | null> {
  const { width, height } = picture;
  const scale = Math.min(1, longestSidePx / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency: transparent pixels would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', quality);
  return promise;
}
