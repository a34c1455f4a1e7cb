import { limits } from '#contract/limits.ts';

/** More than a screen shows of a face. */
const longestSidePx = 1_600;
const jpegQuality = 0.9;
/** What the server takes as it is. */
const accepted = /^image\/(?:jpeg|png|webp)$/;

/**
 * Makes a photo as small as the server wants a profile picture, also one that only this browser can read (HEIC on an
 * iPhone). Place and time, which a camera writes into it, stay on the device.
 * @returns the file as it is when it is small enough, or when the browser cannot read it either
 */
export async function shrinkPhoto(file: File): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const { width, height } = picture;
  const fits = width * height <= limits.profilePictureMaxPixels && file.size <= limits.profilePictureMaxBytes;
  if (fits && accepted.test(file.type)) return file;

  const scale = Math.min(1, longestSidePx / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return file;
  // JPEG has no transparency: what is clear would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', jpegQuality);
  const small = await promise;
  return small ? new File([small], file.name, { type: 'image/jpeg', lastModified: file.lastModified }) : file;
}
