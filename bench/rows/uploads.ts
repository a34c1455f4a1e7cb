import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { createAppCheck } from '#client/app-check.ts';
import { createSend } from '#client/http.ts';
import { solveChallenge } from '#client/solve-challenge.ts';
import { paths } from '#contract/paths.ts';
import { reprDigest, tusContentType, tusVersion } from '#contract/storage.ts';
import { against, figureOf, interleave, type Result, type Row } from '../measure.ts';
import { residentMegabytes, type Subject, startBaselineProgram, startSubject } from '../subject.ts';

const mega = 1_000_000;
const chunkBytes = 16 * 1024 * 1024;
/** A file may take 1.4 of the baseline's time. */
const goal = { atLeast: 1 / 1.4 };
const downloadGrowthMb = 64;
/** Multiplies the rounds of 100 MB, which are so short that one pause of the disk changes the figure. */
const moreRounds = 4;

/** Measures uploads and downloads of 100 MB and 2 GB. The baseline is bare node:http with the same bytes. */
export const uploads: Row = {
  name: 'uploads',
  about: 'upload and download of 100 MB and 2 GB, and growth of memory',
  async run({ rounds }) {
    const subject = await startSubject(undefined, { environment: { MAX_AUDIO_MB: '3000' } });
    const baseline = await startBaselineProgram('file-bytes.ts', path.join(subject.dataDir, 'baseline'));
    try {
      // Uploads once before `baseMb` is measured, because the first upload also loads code. The memory for
      // this code does not depend on the size of a file.
      await sendToUs(subject, makeFile(mega), mega);
      const baseMb = await residentMegabytes(subject.pid);
      return [
        ...(await compare(subject, baseline.url, {
          ...{ sizeBytes: 100 * mega, rounds: moreRounds * rounds, baseMb, uploadGrowthMb: 32 },
        })),
        ...(await compare(subject, baseline.url, {
          ...{ sizeBytes: 2_000 * mega, rounds, baseMb, uploadGrowthMb: 64 },
        })),
      ];
    } finally {
      await baseline.stop();
      await subject.stop();
    }
  },
};

/**
 * Sends a file and reads it, in turns with the baseline.
 * @param baseMb the server's memory before the rounds; growth is the maximum minus this
 */
async function compare(
  subject: Subject,
  baseline: string,
  {
    sizeBytes,
    rounds,
    baseMb,
    uploadGrowthMb,
  }: { sizeBytes: number; rounds: number; baseMb: number; uploadGrowthMb: number },
): Promise<Result[]> {
  const file = makeFile(sizeBytes);
  let fileUrl = '';
  await takeMostMegabytes(subject.pid);
  const { mbPerSecond: sent } = await interleave(
    rounds,
    async () => {
      const { mbPerSecond, url } = await sendToUs(subject, file, sizeBytes);
      fileUrl = url;
      return { mbPerSecond };
    },
    () => sendToBaseline(baseline, file, sizeBytes),
  );
  const sendingMb = (await takeMostMegabytes(subject.pid)) - baseMb;
  const { mbPerSecond: read } = await interleave(
    rounds,
    () => readAll(subject.url + fileUrl, sizeBytes),
    () => readAll(baseline, sizeBytes),
  );
  const size = sizeBytes >= 1_000 * mega ? `${sizeBytes / mega / 1_000} GB` : `${sizeBytes / mega} MB`;
  const readingMb = (await takeMostMegabytes(subject.pid)) - baseMb;
  return [
    { what: `upload of ${size}`, unit: 'MB/s', ...against('bare node:http', sent), goal },
    { what: `download of ${size}`, unit: 'MB/s', ...against('bare node:http', read), goal },
    ...[
      { what: 'upload', grownMb: sendingMb, atMost: uploadGrowthMb },
      { what: 'download', grownMb: readingMb, atMost: downloadGrowthMb },
    ].map(({ what, grownMb, atMost }) => ({
      ...{ what: `growth of memory, ${what} of ${size}`, unit: 'MB' },
      ...{ ours: figureOf([grownMb]), goal: { atMost } },
    })),
  ];
}

type File = { chunks: { offset: number; content: Buffer }[]; sha256: string };

/** Repeats the same 16 MiB of random bytes, which begin with the headers of three MP3 frames. */
function makeFile(sizeBytes: number): File {
  const pattern = randomBytes(chunkBytes);
  for (const offset of [0, 417, 834]) pattern.writeUInt32BE(0xff_fb_90_00, offset);
  const hash = createHash('sha256');
  const chunks: File['chunks'] = [];
  for (let offset = 0; offset < sizeBytes; offset += chunkBytes) {
    const content = pattern.subarray(0, Math.min(chunkBytes, sizeBytes - offset));
    hash.update(content);
    chunks.push({ offset, content });
  }
  return { chunks, sha256: hash.digest('base64') };
}

let files = 0;

/**
 * Removes the previous file and uploads this one.
 * @returns MB per second, and the path and query of the uploaded file's URL
 */
async function sendToUs(subject: Subject, { chunks, sha256 }: File, sizeBytes: number) {
  const asAdmin: typeof fetch = (target, init) =>
    fetch(target, {
      ...init,
      headers: { ...(init?.headers as object), cookie: subject.cookie, origin: subject.url },
    });
  const appCheck = createAppCheck(createSend(subject.url, asAdmin), solveChallenge);
  const ask = async (where: string, init: RequestInit = {}) => {
    const { token } = (await (await asAdmin(subject.url + paths.auth.storageBearer)).json()) as {
      token: string;
    };
    const headers = { ...(init.headers as object), authorization: `Bearer ${token}`, ...(await appCheck()) };
    return { response: await asAdmin(subject.url + where, { ...init, headers }), headers };
  };
  const where = (index: number) => `postAudios/mind/medida${index}`;
  if (files > 0) await ask(paths.storage.object(where(files)), { method: 'DELETE' });
  files += 1;
  const metadata = `path ${btoa(where(files))},contentType ${btoa('audio/mpeg')}`;
  const { response, headers } = await ask(paths.storage.resumable, {
    method: 'POST',
    headers: {
      'tus-resumable': tusVersion,
      'upload-length': String(sizeBytes),
      'upload-metadata': metadata,
    },
  });
  const uploadUrl = subject.url + (response.headers.get('location') ?? '');
  const started = performance.now();
  await sendChunks(uploadUrl, chunks, { ...headers, origin: subject.url }, sha256);
  const seconds = (performance.now() - started) / 1_000;
  const { response: found } = await ask(paths.storage.downloadUrl(where(files)));
  const { url } = (await found.json()) as { url: string };
  return { mbPerSecond: sizeBytes / mega / seconds, url };
}

async function sendToBaseline(baseline: string, { chunks, sha256 }: File, sizeBytes: number) {
  await fetch(baseline, { method: 'DELETE' });
  const started = performance.now();
  await sendChunks(baseline, chunks, {}, sha256);
  return { mbPerSecond: sizeBytes / mega / ((performance.now() - started) / 1_000) };
}

async function sendChunks(
  uploadUrl: string,
  chunks: File['chunks'],
  headers: Record<string, string>,
  sha256: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const { offset, content } of chunks) {
    const isLast = offset === chunks.at(-1)?.offset;
    const asked = request(uploadUrl, {
      method: 'PATCH',
      agent,
      headers: {
        ...headers,
        'tus-resumable': tusVersion,
        'content-type': tusContentType,
        'content-length': content.length,
        'upload-offset': offset,
        ...(isLast && { 'repr-digest': reprDigest(sha256) }),
      },
    }).end(content);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    if (response.statusCode !== 204)
      throw new Error(`The chunk at ${offset} returned ${response.statusCode}.`);
    await once(response, 'end');
  }
  agent.destroy();
}

async function readAll(url: string, sizeBytes: number) {
  const started = performance.now();
  const asked = request(url).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await once(response, 'end');
  if (read !== sizeBytes) throw new Error(`${read} of ${sizeBytes} bytes were read.`);
  return { mbPerSecond: sizeBytes / mega / ((performance.now() - started) / 1_000) };
}

/** Returns the most resident memory of a process since the last call, in MiB. */
async function takeMostMegabytes(pid: number): Promise<number> {
  const most = await residentMegabytes(pid, 'VmHWM');
  // Starts anew (proc(5)).
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return most;
}
