import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StartError } from '#server/environment.ts';

/** With these flags, `open` does not follow a link, and does not wait for the writer of a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const chunkBytes = 1024 * 1024;
const again = 'Nada foi importado. Exporte de novo.';

/** Opens a plain file of the export. @throws StartError */
export async function openPlainFile(file: string): Promise<{ handle: FileHandle; sizeBytes: number }> {
  const handle = await open(file, openFlags).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'não existe' : 'não pôde ser lido, ou é um link';
    throw new StartError(`O arquivo ${file} ${reason}. ${again}`, { cause });
  });
  const found = await handle.stat();
  if (found.isFile()) return { handle, sizeBytes: found.size };
  await handle.close();
  throw new StartError(`${file} não é um arquivo. ${again}`);
}

/** Reads a whole file of text. @throws StartError when it is longer than `mostBytes`, or not UTF-8 */
export async function readText(file: string, mostBytes: number): Promise<string> {
  const { handle, sizeBytes } = await openPlainFile(file);
  try {
    if (sizeBytes > mostBytes)
      throw new StartError(
        `O arquivo ${file} é grande demais: tem mais de ${Math.floor(mostBytes / 1_000_000)} MB. Nada foi importado.`,
      );
    return decode(await handle.readFile(), file);
  } finally {
    await handle.close();
  }
}

/**
 * Reads the JSON values of a file that has one value per line, with bounded memory.
 * @param mostBytes the longest line
 * @throws StartError when a line is too long, not UTF-8 or not JSON, or when the last line has no line break
 */
export async function* readJsonLines(
  file: string,
  mostBytes: number,
): AsyncGenerator<{ line: number; value: unknown }> {
  const { handle } = await openPlainFile(file);
  try {
    let line = 0;
    let parts: Buffer[] = [];
    let partBytes = 0;
    const add = (part: Buffer) => {
      parts.push(part);
      partBytes += part.length;
      if (partBytes > mostBytes)
        throw new StartError(
          `A linha ${line + 1} do arquivo ${file} é longa demais: tem mais de ${Math.floor(mostBytes / 1_000_000)} MB. ${again}`,
        );
    };
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) break;
      let start = 0;
      for (let end = buffer.indexOf(0x0a); end >= 0 && end < bytesRead; end = buffer.indexOf(0x0a, start)) {
        add(buffer.subarray(start, end));
        line += 1;
        yield { line, value: parseLine(Buffer.concat(parts), file, line) };
        parts = [];
        partBytes = 0;
        start = end + 1;
      }
      if (start < bytesRead) add(buffer.subarray(start, bytesRead));
    }
    if (partBytes > 0)
      throw new StartError(`O arquivo ${file} está cortado: a última linha não termina. ${again}`);
  } finally {
    await handle.close();
  }
}

function parseLine(bytes: Buffer, file: string, line: number): unknown {
  const text = decode(bytes, `${file}, linha ${line}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StartError(
      `A linha ${line} do arquivo ${file} não é JSON: o arquivo está cortado ou foi mudado. ${again}`,
      {
        cause,
      },
    );
  }
}

function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StartError(`O texto em ${place} não é UTF-8: o arquivo foi mudado ou está cortado. ${again}`, {
      cause,
    });
  }
}
