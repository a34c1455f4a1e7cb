import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** The side of the largest shapes, as a fraction of the picture's width. */
const largest = 1 / 4;
/** The number of sizes of shapes. Each size is half of the previous one. */
const sizes = 8;
const contrast = 0.1;

/**
 * Makes a picture that compresses like a photograph: shapes of many sizes, with the same contrast at each
 * size. Source: Field, "Relations between the statistics of natural images and the response properties of
 * cortical cells", 1987.
 * @param width pixels @param height pixels
 * @returns a JPEG
 */
export async function makePhotograph(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const channels = 3;
  const sum = new Float32Array(width * height * channels).fill(128);
  for (let size = 0; size < sizes; size += 1) {
    const shape = Math.max(1, Math.round(width * largest * 2 ** -size));
    const shapes = { width: Math.ceil(width / shape) + 1, height: Math.ceil(height / shape) + 1 };
    const noise = randomBytes(shapes.width * shapes.height * channels);
    const { data } = await sharp(noise, { raw: { ...shapes, channels } })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const [index, value] of data.entries()) sum[index] = (sum[index] ?? 0) + (value - 128) * contrast;
  }
  const picture = sharp(Uint8ClampedArray.from(sum), { raw: { width, height, channels } });
  return Uint8Array.from(await picture.jpeg({ quality: 90 }).toBuffer());
}
