import { gzipSync } from 'node:zlib';

export type TarFile = { path: string; content: Buffer; executable: boolean };

const blockBytes = 512;
/** The offset of the operating system in a gzip header, and the value for an unknown one (RFC 1952). */
const [osPlace, unknownOs] = [9, 255];

/**
 * Packs files into a gzipped tar archive (POSIX.1-1988, ustar). The same files always give the same bytes,
 * because the entries are sorted, belong to root, and have fixed modes and one time. Folders have entries,
 * too, so that their modes do not depend on the umask of the person who unpacks the archive.
 * @param seconds the time of all entries, in seconds since 1970
 * @throws Error when a path is too long for the format
 */
export function packTar(files: TarFile[], seconds: number): Buffer {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const entries = [
    ...[...folders].map((path) => ({ path, mode: 0o755, type: '5', content: Buffer.alloc(0) })),
    ...files.map(({ path, content, executable }) => ({
      ...{ path, content, type: '0' },
      mode: executable ? 0o755 : 0o644,
    })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = entries.flatMap(({ path, mode, type, content }) => [
    header(path, { mode, type, bytes: content.length, seconds }),
    content,
    Buffer.alloc(-content.length & (blockBytes - 1)),
  ]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
  packed[osPlace] = unknownOs;
  return packed;
}

/** Returns `['a/', 'a/b/']` for `a/b/c`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}

type Entry = { mode: number; type: string; bytes: number; seconds: number };

function header(path: string, { mode, type, bytes, seconds }: Entry): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const { prefix, name } = splitPath(path);
  const fields: [at: number, text: string][] = [
    [0, name],
    [100, octal(mode, 7)],
    // Owner and group: 0, which is root.
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(bytes, 11)],
    [136, octal(seconds, 11)],
    // The checksum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, type],
    [257, 'ustar\0'],
    [263, '00'],
    [345, prefix],
  ];
  for (const [at, text] of fields) block.write(text, at);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${octal(checksum, 6)}\0 `, 148);
  return block;
}

/**
 * The format has 100 bytes for the end of a path, and 155 for its start; the slash between them is in
 * neither.
 */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) > 155) break;
    if (name !== '' && Buffer.byteLength(name) <= 100) return { prefix, name };
  }
  throw new Error(`The path is too long for the archive: ${path}`);
}
