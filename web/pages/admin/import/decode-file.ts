/** The maximum size of one import, in bytes. */
export const importMaxBytes = 1_000_000;
export const tooLarge = 'A tabela tem mais de 1 MB. Divida-a em partes menores.';

/** The first bytes of Excel's own files. New ones are ZIP archives, older ones are OLE documents. */
const workbookStarts = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** The characters of code page 850, which Excel's format "CSV (MS-DOS)" uses, from byte 128 on. */
const codePage850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ';

const decoders: ((bytes: Uint8Array) => string)[] = [
  (bytes) => new TextDecoder('windows-1252').decode(bytes),
  (bytes) => new TextDecoder('macintosh').decode(bytes),
  (bytes) =>
    Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : codePage850[byte - 128])).join(''),
];

/** Matches a text whose characters outside ASCII are those of Portuguese texts. */
const portuguese = /^[\0-\x7fáàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ“”‘’–—…•ºª°\u00a0]*$/;

/**
 * Decodes a CSV file: as UTF-16 if it starts with a UTF-16 byte order mark, else as UTF-8 if it is valid
 * UTF-8, else in the encoding of Excel on Windows, on a Mac or for MS-DOS whose result is Portuguese.
 * @returns the text; the possible texts if several encodings are plausible, or none; or the sentence about a
 * file that is too large or is Excel's own
 */
export function decodeFile(
  bytes: Uint8Array,
): { text: string } | { choices: string[] } | { problem: string } {
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
    const texts = decoders.map((decode) => decode(bytes));
    const [text, ...more] = texts.filter((one) => portuguese.test(one));
    if (text !== undefined && more.length === 0) return { text };
    return { choices: text === undefined ? texts : [text, ...more] };
  }
}

/** Returns some words of a text that show whether its encoding is right. */
export function sampleOf(text: string): string {
  const words = text.split(/[\s;,"]+/).filter((word) => /[^\0-\x7f]/.test(word));
  return [...new Set(words)].slice(0, 6).join(' · ');
}
