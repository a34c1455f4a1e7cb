import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Creates a PNG of one colour. At the default size, it has fewer than a thousand bytes. */
export async function png(width = 40, height = 30): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7d6c' } });
  return Uint8Array.from(await picture.png().toBuffer());
}

/** Creates a photo as from a phone: its EXIF data rotates the picture, and contains a location. */
export async function photo(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: '#000', noise } });
  const content = await picture
    .withExif({
      IFD0: { Make: 'Marca do telefone', Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '23/1 33/1 1/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '46/1 38/1 1/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return Uint8Array.from(content);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Creates a PNG whose header declares this size, but which contains only one row of pixels. */
export function pixelFlood(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(Math.ceil(width / 8) + 1), { level: 9 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Uint8Array.from(
    Buffer.concat([
      signature,
      pngChunk('IHDR', header),
      pngChunk('IDAT', rows),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

/**
 * Creates a picture of 24 × 16 pixels whose left half is red and whose right half is blue when it is shown as
 * its EXIF orientation says.
 */
export async function halves(
  format: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif',
  { orientation = 1, colours = 'srgb' }: { orientation?: number; colours?: 'srgb' | 'cmyk' | 'rgb16' } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const half = (background: string) =>
    sharp({ create: { width: 12, height: 16, channels: 3, background } })
      .png()
      .toBuffer();
  const shown = sharp({ create: { width: 24, height: 16, channels: 3, background: '#fff' } }).composite([
    { input: await half('#d02020'), left: 0, top: 0 },
    { input: await half('#2020d0'), left: 12, top: 0 },
  ]);
  const turn = turns[orientation - 1] ?? { flip: false, angle: 0 };
  const stored = sharp(await shown.png().toBuffer())
    .rotate(turn.angle)
    .toBuffer();
  const picture = sharp(
    turn.flip
      ? await sharp(await stored)
          .flop()
          .toBuffer()
      : await stored,
  );
  return Uint8Array.from(
    await picture.toColourspace(colours).withMetadata({ orientation }).toFormat(format).toBuffer(),
  );
}

/** How to store a picture for each EXIF orientation: turned by `angle`, then mirrored if `flip`. */
const turns = [
  { angle: 0, flip: false },
  { angle: 0, flip: true },
  { angle: 180, flip: false },
  { angle: 180, flip: true },
  { angle: 90, flip: true },
  { angle: 270, flip: false },
  { angle: 270, flip: true },
  { angle: 90, flip: false },
];

/** Creates an animated WebP with a red and a blue picture. */
export async function animatedWebp(): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await Promise.all(
    ['#d02020', '#2020d0'].map((background) =>
      sharp({ create: { width: 24, height: 16, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return Uint8Array.from(
    await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  );
}

/** Creates an animated PNG: a PNG with a chunk that browsers read as the beginning of an animation. */
export async function apng(): Promise<Uint8Array<ArrayBuffer>> {
  const still = Buffer.from(await halves('png'));
  const afterHeader = 8 + 25;
  const animation = pngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]));
  return Uint8Array.from(
    Buffer.concat([still.subarray(0, afterHeader), animation, still.subarray(afterHeader)]),
  );
}
