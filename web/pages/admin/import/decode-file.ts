/** The maximum size of one import, in bytes. */
export const importMaxBytes = 1_000_000;
export const tooLarge = 'A tabela tem mais de 1 MB. Divida-a em partes menores.';

/** The first bytes of Excel's own files. New ones are ZIP archives, older ones are OLE documents. */
const workbookStarts = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/**
 * Decodes a CSV file: as UTF-16 if it starts with a UTF-16 byte order mark, else as UTF-8 if it is valid
 * UTF-8, else as Windows-1252, the encoding that Excel uses in Brazil.
 * @returns the text, or the sentence about a file that is too large or is Excel's own
 */
export function decodeFile(bytes: Uint8Array): { text: string } | { problem: string } {
  if (bytes.length > importMaxBytes) return { problem: tooLarge };
  if (workbookStarts.some((start) => start.every((byte, place) => bytes[place] === byte)))
    return {
      problem:
        'Este é um arquivo do Excel, que o site não lê. Copie as células e cole aqui, ou salve a planilha como CSV.',
    };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes) };
  }
}
