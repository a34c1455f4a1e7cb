import { limits } from '#contract/limits.ts';

/** Tried one after another until the photo is small enough. The first shows more of a face than any screen here. */
const attempts = [
  { longestSidePx: 1_600, quality: 0.9 },
  { longestSidePx: 1_200, quality: 0.8 },
  { longestSidePx: 800, quality: 0.7 },
  { longestSidePx: 400, quality: 0.7 },
];
/** More than any of the attempts needs; a server may be set to take less, and says so only later. */
const enoughBytes = 1_000_000;
/** What the server takes as it is. */
const accepted = /^image\/(?:jpeg|png|webp)$/;

/**
 * Makes a photo as small as the server wants a profile picture, also one that only this browser can read (HEIC on an
 * iPhone). Place and time, which a camera writes into it, stay on the device.
 * @returns the file as it is when it is small enough, or when the browser cannot read it either
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
  // JPEG has no transparency: what is clear would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', quality);
  return promise;
}
