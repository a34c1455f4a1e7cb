import { limits } from '#contract/limits.ts';

/** Sizes and qualities to try until the photo is small enough. No page shows a photo in the first size. */
const attempts = [
  { longestSidePx: 1_600, quality: 0.9 },
  { longestSidePx: 1_200, quality: 0.8 },
  { longestSidePx: 800, quality: 0.7 },
  { longestSidePx: 400, quality: 0.7 },
];
/** The maximum for a shrunk photo. It is low, because the server's maximum may be lower than `maxBytes`. */
const enoughBytes = 1_000_000;
/** The types that the server accepts without a conversion. */
const accepted = /^image\/(?:jpeg|png|webp)$/;

/**
 * Shrinks a photo to the server's maximum for profile pictures. Also converts a format that this browser can
 * read but the server does not accept, such as HEIC on an iPhone. A shrunk or converted photo loses its
 * metadata, such as place and time; an unchanged file keeps its metadata.
 * @returns the same file when it already fits, or when the browser cannot shrink it
 */
async function shrinkPhoto(file: File, maxBytes: number): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  try {
    const fits = picture.width * picture.height <= limits.profilePictureMaxPixels && file.size <= maxBytes;
    if (fits && accepted.test(file.type) && !(await isHeic(file))) return file;
    for (const attempt of attempts) {
      const small = await drawAsJpeg(picture, attempt);
      if (small && small.size <= Math.min(maxBytes, enoughBytes)) return asJpegFile(small, file);
    }
    return file;
  } finally {
    picture.close();
  }
}

/** The same for a picture of a practice. The first size is larger than on any page. */
const practiceAttempts = [
  { longestSidePx: 3_000, quality: 0.9 },
  { longestSidePx: 2_000, quality: 0.85 },
];

export const heicTypes = 'image/heic,image/heif,.heic,.heif';

/**
 * True for HEIC and HEIF, an iPhone's photo formats. The name counts, because some systems do not know the
 * type of such a file; the content counts, because programs give such a file the name of a JPEG.
 */
export async function isHeic(file: File): Promise<boolean> {
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name)) return true;
  const brand = await file
    .slice(4, 12)
    .text()
    .catch(() => '');
  return /^ftyp(?:hei[cx]|hev[cx]|mif1|msf1)$/.test(brand);
}

/**
 * Prepares a picture for its upload: shrinks profile pictures, and converts HEIC pictures to JPEG.
 * @returns the same file when it needs no change, or when this browser cannot read it
 */
export async function readablePicture(
  file: File,
  kind: 'image' | 'profile-picture',
  maxBytes: number,
): Promise<File> {
  if (kind === 'profile-picture') return shrinkPhoto(file, maxBytes);
  if (!(await isHeic(file))) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  try {
    for (const attempt of practiceAttempts) {
      const jpeg = await drawAsJpeg(picture, attempt);
      if (jpeg && jpeg.size <= maxBytes) return asJpegFile(jpeg, file);
    }
    return file;
  } finally {
    picture.close();
  }
}

const asJpegFile = (jpeg: Blob, { name, lastModified }: File) =>
  new File([jpeg], name.replace(/\.hei[cf]$/i, '.jpg'), { type: jpeg.type, lastModified });

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
  // Start with white, because JPEG has no transparency and transparent pixels would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
