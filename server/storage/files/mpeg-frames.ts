/** The bit rates of MP3 in kbit/s, by their index in the frame header. Index 0 means an unknown bit rate. */
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** The sample rates of MPEG-1 in Hz. MPEG-2 has half of them, MPEG-2.5 a quarter. */
const mp3SampleRates = [44_100, 48_000, 32_000];
const aacSampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
/** The bytes of a frame header that `frameAt` reads. */
const headerBytes = 7;
const id3HeaderBytes = 10;
const id3Start = 'I'.charCodeAt(0);

type Frame = { bytes: number; seconds: number };

/** Reads the frame of MP3, or of AAC in ADTS, whose header begins at `at`. */
function frameAt(data: Buffer, at: number): Frame | undefined {
  if (data.readUInt8(at) !== 0xff) return undefined;
  const second = data.readUInt8(at + 1);
  const third = data.readUInt8(at + 2);
  if ((second & 0xf6) === 0xf0) {
    const rate = aacSampleRates[(third >> 2) & 15];
    const bytes = (data.readUInt32BE(at + 3) >>> 13) & 0x1fff;
    const samples = 1_024 * ((data.readUInt8(at + 6) & 3) + 1);
    return rate === undefined || bytes <= headerBytes ? undefined : { bytes, seconds: samples / rate };
  }
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  if ((second & 0xe0) !== 0xe0 || version === 1 || layer !== 1) return undefined;
  const isMpeg1 = version === 3;
  const kilobits = (isMpeg1 ? bitRates.mpeg1 : bitRates.mpeg2)[third >> 4];
  const fullRate = mp3SampleRates[(third >> 2) & 3];
  if (!kilobits || fullRate === undefined) return undefined;
  const rate = isMpeg1 ? fullRate : fullRate / (version === 2 ? 2 : 4);
  const samples = isMpeg1 ? 1_152 : 576;
  const bytes = Math.floor((samples * 125 * kilobits) / rate) + ((third >> 1) & 1);
  return { bytes, seconds: samples / rate };
}

/**
 * Adds the lengths of the frames in an MP3 file, or in an AAC file (ADTS). Many files have no header with the
 * length, and in a file that was joined from several, this header describes only the first one.
 */
export function createFrameCounter() {
  let rest: Buffer = Buffer.alloc(0);
  let seconds = 0;
  let frames = 0;
  /** The bytes of a frame or a tag that are still to come. */
  let skipped = 0;
  /** True after a frame. Elsewhere, a header counts only if another one follows its frame. */
  let inSync = false;

  function read(isEnd: boolean) {
    let at = 0;
    for (;;) {
      const jump = Math.min(skipped, rest.length - at);
      at += jump;
      skipped -= jump;
      if (skipped > 0 || rest.length - at < id3HeaderBytes) break;
      if (rest.toString('latin1', at, at + 3) === 'ID3') {
        skipped = id3HeaderBytes + id3Bytes(rest, at);
        inSync = false;
        continue;
      }
      const frame = frameAt(rest, at);
      if (frame && !inSync && at + frame.bytes + headerBytes > rest.length && !isEnd) break;
      if (frame && (inSync || isFrame(rest, at + frame.bytes))) {
        seconds += frame.seconds;
        frames += 1;
        skipped = frame.bytes;
        inSync = true;
      } else {
        at += 1;
        while (at < rest.length && rest[at] !== 0xff && rest[at] !== id3Start) at += 1;
        inSync = false;
      }
    }
    rest = rest.subarray(at);
  }

  return {
    add(chunk: Uint8Array) {
      rest = Buffer.concat([rest, chunk]);
      read(false);
    },
    end() {
      read(true);
      return { seconds, frames };
    },
  };
}

const isFrame = (data: Buffer, at: number) =>
  at + headerBytes <= data.length && frameAt(data, at) !== undefined;

/** The size of an ID3v2 tag after its header. Each byte of the size has seven bits. */
const id3Bytes = (data: Buffer, at: number) =>
  [6, 7, 8, 9].reduce((size, offset) => size * 128 + (data.readUInt8(at + offset) & 0x7f), 0);
