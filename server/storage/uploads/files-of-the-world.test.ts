import assert from 'node:assert/strict';
import { it } from 'node:test';
import sharp from 'sharp';
import { errorBody } from '#contract/errors.ts';
import * as audio from '#server/testing/audio.ts';
import { isFullLevel } from '#server/testing/databases.ts';
import { animatedWebp, apng, halves, photo } from '#server/testing/pictures.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer } from '#server/testing/server.ts';
import { sha256Of, storageOf } from '#server/testing/storage.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const vbr: [number, number][] = [
  [3, 32],
  [17, 128],
];
/** A type under which a browser sends the file, the type under which it is served, and its seconds. */
const sounds: [name: string, content: Bytes, declared: string, served: string, seconds: number][] = [
  ['MP3', audio.mp3Of([[20, 128]]), 'audio/mpg', 'audio/mpeg', 20],
  ['MP3 with Info', audio.mp3Of([[20, 128]], { xing: true }), 'audio/mpeg', 'audio/mpeg', 20],
  ['VBR with Xing', audio.mp3Of(vbr, { xing: true }), 'audio/x-mpeg-3', 'audio/mpeg', 20],
  ['VBR that begins quietly, without Xing', audio.mp3Of(vbr), 'video/mpeg', 'audio/mpeg', 20],
  ['MP3 with tags', audio.joined(audio.id3(), audio.mp3Of([[20, 64]]), audio.id3v1()), '', 'audio/mpeg', 20],
  [
    'joined MP3',
    audio.joined(audio.id3(), audio.mp3Of(vbr, { xing: true }), audio.id3(), audio.mp3Of([[20, 64]])),
    'application/octet-stream',
    'audio/mpeg',
    40,
  ],
  ['MP3 cut from a stream', audio.mp3Of([[20, 128]]).slice(200), 'audio/mpeg', 'audio/mpeg', 20],
  [
    'MP3 with empty bytes after the tag',
    audio.joined(audio.id3(), Buffer.alloc(900), audio.mp3Of([[20, 128]])),
    'audio/wav',
    'audio/mpeg',
    20,
  ],
  ['AAC', audio.adts(20), 'audio/vnd.dlna.adts', 'audio/aac', 20],
  ['joined AAC', audio.joined(audio.adts(10), audio.id3(), audio.adts(10)), 'audio/aacp', 'audio/aac', 20],
  ['M4A', audio.m4a(20), 'audio/x-m4a', 'audio/mp4', 20],
  ['MP4', audio.m4a(20, { brand: 'mp42' }), 'video/mp4', 'audio/mp4', 20],
  ['recorded MP4', audio.m4a(20, { brand: 'iso5', fragmented: true }), 'audio/mp4', 'audio/mp4', 20],
  ['Ogg Opus', audio.ogg(20, 'opus'), 'audio/x-opus+ogg', 'audio/ogg', 20],
  ['Ogg Vorbis', audio.ogg(20, 'vorbis'), 'application/ogg', 'audio/ogg', 20],
  ['WAV', audio.wav(20), 'audio/vnd.wave', 'audio/wav', 20],
  ['WAV without its length', audio.wav(20, { streamed: true }), 'audio/x-wav', 'audio/wav', 20],
];

it('the sounds of the world are served under the type of their content, with their length', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const admin = await server.join('admin');
  const storage = storageOf(admin);
  for (const [name, content, declared, served, seconds] of sounds) {
    const path = `postAudios/mind/${name.replaceAll(/\W/g, '')}`;
    const response = await storage.upload(path, content, 20_000_000, declared);
    assert.ok(response.ok, `${name} as ${declared}: ${response.status}`);
    const url = await storage.url(path);
    const read = await server.visitor.fetch(url);
    assert.equal(read.headers.get('content-type'), served, name);
    assert.equal(sha256Of(new Uint8Array(await read.arrayBuffer())), sha256Of(content));
    const { audioSeconds } = await admin.client.documents.createActivity(sampleActivity({ audio: url }));
    assert.equal(audioSeconds, seconds, name);
  }
});

it('the pictures of the world are served as they look, under the type of their content', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const storage = storageOf(await server.join('admin'));
  const orientations = (isFullLevel ? [1, 2, 3, 4, 5, 6, 7, 8] : [6, 7]).map(
    async (orientation) => [await halves('jpeg', { orientation }), 'image/jpeg'] as const,
  );
  const pictures: [content: Bytes, served: string][] = [
    ...(await Promise.all(orientations)).map(([content, type]): [Bytes, string] => [content, type]),
    [await halves('jpeg', { colours: 'cmyk' }), 'image/jpeg'],
    [(await halves('jpeg')).slice(0, -2), 'image/jpeg'],
    [await halves('png', { colours: 'rgb16' }), 'image/png'],
    [await apng(), 'image/png'],
    [await halves('webp'), 'image/webp'],
    [await halves('avif'), 'image/avif'],
  ];
  for (const [index, [content, served]] of pictures.entries()) {
    const path = `postImages/mind/imagem-${index}`;
    // The name of the file, from which browsers take the type, is often wrong.
    const declared = ['image/jpg', 'image/png', 'image/heic', 'image/gif', ''][index % 5] ?? '';
    const response = await storage.send(path, content, { contentType: declared });
    assert.equal(response.status, 201, `${index} ${served} as ${declared}`);
    const read = await server.visitor.fetch(await storage.url(path));
    assert.equal(read.headers.get('content-type'), served);
    assert.deepEqual(await coloursOf(read), ['24x16', 'red', 'blue'], `${index} ${served}`);
  }
  assert.equal((await storage.send('postImages/mind/animada', await animatedWebp())).status, 201);
  const still = await server.visitor.fetch(await storage.url('postImages/mind/animada'));
  assert.deepEqual(await coloursOf(still), ['24x16', 'red', 'red'], 'only the first image');
});

/** Returns the size of a served picture, and the colours of its left and its right half. */
async function coloursOf(response: Response): Promise<string[]> {
  const { data, info } = await sharp(await response.arrayBuffer())
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const colourAt = (x: number) => {
    const at = (8 * info.width + x) * info.channels;
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
  };
  return [`${info.width}x${info.height}`, colourAt(4), colourAt(20)];
}

it('files that cannot be shown or played are refused with the reason', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const storage = storageOf(await server.join('admin'));
  const [image, sound] = ['postImages/mind/a', 'postAudios/mind/a'];
  const cut = (content: Bytes) => content.slice(0, content.length / 2);
  const heic = Uint8Array.from(Buffer.from('\0\0\0\u0018ftypheic'.padEnd(100, '\0')));
  const mp2 = Uint8Array.from(Buffer.alloc(2_000));
  mp2.set([0xff, 0xfd, 0x84, 0xc0]);
  const unsupported = 'request/unsupported-type';
  for (const [path, content, declared, code, format] of [
    [image, cut(await photo(400, 300)), 'image/jpeg', 'storage/incomplete-file', undefined],
    [image, cut(await halves('png')), 'image/png', 'storage/incomplete-file', undefined],
    [image, cut(await halves('avif')), 'image/avif', 'storage/incomplete-file', undefined],
    [image, await halves('gif'), 'image/jpeg', unsupported, 'GIF'],
    [image, heic, 'image/jpeg', unsupported, 'HEIC'],
    [image, await halves('png'), 'text/html', unsupported, 'PNG'],
    [image, audio.wav(1), '', unsupported, 'WAV'],
    [sound, mp2, 'audio/mpeg', unsupported, 'MP2'],
    [sound, Uint8Array.from(Buffer.from('%PDF-1.7'.padEnd(200, ' '))), 'audio/mpeg', unsupported, 'PDF'],
    [sound, audio.mp3Of([[1, 64]]), 'image/png', unsupported, 'MP3'],
  ] as const) {
    const response = await storage.send(path, content, { contentType: declared });
    const { code: found, foundFormat } = errorBody.parse(await response.json());
    assert.deepEqual([found, foundFormat], [code, format], `${path} ${declared}`);
  }
});
