import sharp from 'sharp';

/** A picture of one colour, smaller than a thousand bytes. */
export async function png(width = 40, height = 30): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7d6c' } });
  return Uint8Array.from(await picture.png().toBuffer());
}

/** What a telephone held sideways takes: turned by its EXIF, with place and time in it. */
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
