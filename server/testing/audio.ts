// Audio files as programs of the world write them. The contents are silence, so that no encoder is needed.

type Bytes = Uint8Array<ArrayBuffer>;

export const joined = (...parts: Uint8Array[]): Bytes => Uint8Array.from(Buffer.concat(parts));

const mp3BitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mp3SampleRate = 44_100;
const mp3FrameSamples = 1_152;

/** Creates a silent frame of MPEG-1 layer III, mono, 44.1 kHz. */
function mp3Frame(kilobits: number): Buffer {
  const frame = Buffer.alloc(Math.floor((144_000 * kilobits) / mp3SampleRate));
  frame.set([0xff, 0xfb, mp3BitRates.indexOf(kilobits) << 4, 0xc0]);
  return frame;
}

/**
 * Creates a silent MP3 file. Its frames have the bit rates in turn, each for the given number of seconds.
 * @param xing true to begin with a frame that states the number of frames and bytes
 */
export function mp3Of(parts: [seconds: number, kilobits: number][], { xing = false } = {}): Bytes {
  const frames = parts.flatMap(([seconds, kilobits]) =>
    Array<Buffer>(Math.round((seconds * mp3SampleRate) / mp3FrameSamples)).fill(mp3Frame(kilobits)),
  );
  if (!xing) return joined(...frames);
  const first = mp3Frame(128);
  first.write(parts.length > 1 ? 'Xing' : 'Info', 21);
  first.writeUInt32BE(3, 25);
  first.writeUInt32BE(frames.length, 29);
  first.writeUInt32BE(
    frames.reduce((sum, { length }) => sum + length, first.length),
    33,
  );
  return joined(first, ...frames);
}

/** Creates an ID3v2 tag. Its picture contains bytes that look like the beginning of a frame. */
export function id3(bytes = 3_000): Buffer {
  const tag = Buffer.alloc(bytes);
  tag.set([0xff, 0xfb, 0x90, 0xc0], 100);
  tag.write('ID3\x04\0\0', 'latin1');
  const size = bytes - 10;
  tag.set([size >> 21, (size >> 14) & 127, (size >> 7) & 127, size & 127], 6);
  return tag;
}

/** Creates an ID3v1 tag, which ends a file. */
export const id3v1 = () => Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);

/** Creates AAC in ADTS, mono, 44.1 kHz, as recorders and Windows write it. */
export function adts(seconds: number): Bytes {
  const silence = Buffer.from('00c800802380', 'hex');
  const frame = Buffer.concat([Buffer.alloc(7), silence]);
  frame.set([0xff, 0xf1, 0x50]);
  frame.writeUInt32BE((1 << 30) | (frame.length << 13) | (0x7ff << 2), 3);
  return joined(...Array<Buffer>(Math.round((seconds * 44_100) / 1_024)).fill(frame));
}

const box = (type: string, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};
const words = (...values: number[]) => {
  const content = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) content.writeUInt32BE(value >>> 0, index * 4);
  return content;
};

/**
 * Creates an MPEG-4 file with one AAC track of 8,000 samples a second.
 * @param brand `M4A ` of phones and iTunes; `isom` or `mp42` of recorders, which browsers name `video/mp4`
 * @param fragmented true for the form in which browsers record: the header states no length
 */
export function m4a(seconds: number, { brand = 'M4A ', fragmented = false } = {}): Bytes {
  const [rate, frameSamples, frameBytes] = [8_000, 1_000, 20];
  const frames = (seconds * rate) / frameSamples;
  const length = fragmented ? 0 : seconds * rate;
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const mvhd = box(
    'mvhd',
    words(0, 0, 0, rate, length, 0x10000, 0x1000000, 0, 0),
    matrix,
    Buffer.alloc(24),
    words(2),
  );
  const tkhd = box('tkhd', words(7, 0, 0, 1, 0, length, 0, 0, 0, 0x1000000), matrix, words(0, 0));
  const mdhd = box('mdhd', words(0, 0, 0, rate, length, 0x55c40000));
  const hdlr = box('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13));
  const entry = box(
    'mp4a',
    words(0, 1, 0, 0, 0x10010, 0, rate << 16),
    box('esds', words(0), Buffer.from('0314000000040b4015000000000000000000000000', 'hex')),
  );
  const tables = fragmented
    ? [box('stsz', words(0, 0, 0)), box('stsc', words(0, 0)), box('stts', words(0, 0))]
    : [
        box('stsz', words(0, frameBytes, frames)),
        box('stsc', words(0, 1, 1, frames, 1)),
        box('stts', words(0, 1, frames, frameSamples)),
      ];
  const offset = box('stco', words(0, fragmented ? 0 : 1, ...(fragmented ? [] : [48])));
  const stbl = box('stbl', box('stsd', words(0, 1), entry), ...tables, offset);
  const minf = box('minf', box('smhd', words(0, 0)), stbl);
  const trex = box('mvex', box('trex', words(0, 1, 1, frameSamples, frameBytes, 0)));
  const moov = box(
    'moov',
    mvhd,
    box('trak', tkhd, box('mdia', mdhd, hdlr, minf)),
    ...(fragmented ? [trex] : []),
  );
  const ftyp = box('ftyp', Buffer.from(brand), words(0), Buffer.from('isommp42'));
  if (!fragmented) return joined(ftyp, box('mdat', Buffer.alloc(frames * frameBytes)), moov);
  const fragments = Array.from({ length: seconds }, (_, second) => {
    const count = rate / frameSamples;
    const header = box('mfhd', words(0, second + 1));
    const time = box('tfdt', words(0, second * rate));
    const run = box('trun', words(0x201, count, 0, ...Array<number>(count).fill(frameBytes)));
    const traf = box('traf', box('tfhd', words(0x20008, 1, frameSamples)), time, run);
    return [box('moof', header, traf), box('mdat', Buffer.alloc(count * frameBytes))];
  });
  return joined(ftyp, moov, ...fragments.flat());
}

function oggCrc(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

function oggPage(
  content: Buffer,
  { kind = 0, samples, serial, index }: { kind?: number; samples: number; serial: number; index: number },
): Buffer {
  const sizes = [...Array<number>(Math.floor(content.length / 255)).fill(255), content.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS');
  head.writeUInt8(kind, 5);
  head.writeBigUInt64LE(BigInt(samples), 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(index, 18);
  head.writeUInt8(sizes.length, 26);
  const page = Buffer.concat([head, Buffer.from(sizes), content]);
  page.writeUInt32LE(oggCrc(page), 22);
  return page;
}

/** Creates an Ogg file with Opus (messengers, Android) or Vorbis. */
export function ogg(seconds: number, codec: 'opus' | 'vorbis', serial = 7): Bytes {
  const opusHead = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');
  const vorbisHead = Buffer.from('01766f72626973000000000180bb00000000000000f4010000000000b801', 'hex');
  const [head, rate] = codec === 'opus' ? [opusHead, 48_000] : [vorbisHead, 48_000];
  const comment =
    codec === 'opus'
      ? Buffer.from('4f707573546167730000000000000000', 'hex')
      : Buffer.from('03766f7262697300000000000000000001', 'hex');
  const pages = [
    oggPage(head, { kind: 2, samples: 0, serial, index: 0 }),
    oggPage(comment, { samples: 0, serial, index: 1 }),
  ];
  for (let second = 1; second <= seconds; second += 1) {
    const kind = second === seconds ? 4 : 0;
    pages.push(oggPage(Buffer.alloc(50), { kind, samples: second * rate, serial, index: second + 1 }));
  }
  return joined(...pages);
}

/**
 * Creates silence as an uncompressed WAV file with 8,000 bytes per second.
 * @param streamed true for a program that did not know the length when it wrote the header
 */
export function wav(seconds: number, { streamed = false } = {}): Bytes {
  const content = Buffer.alloc(44 + seconds * 8_000, 128);
  content.write('RIFF', 0);
  content.writeUInt32LE(streamed ? 0xffffffff : content.length - 8, 4);
  content.write('WAVEfmt ', 8);
  content.writeUInt32LE(16, 16);
  content.writeUInt16LE(1, 20);
  content.writeUInt16LE(1, 22);
  content.writeUInt32LE(8_000, 24);
  content.writeUInt32LE(8_000, 28);
  content.writeUInt16LE(1, 32);
  content.writeUInt16LE(8, 34);
  content.write('data', 36);
  content.writeUInt32LE(streamed ? 0xffffffff : content.length - 44, 40);
  return Uint8Array.from(content);
}
