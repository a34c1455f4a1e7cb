import * as z from 'zod/mini';
import { parseUrl } from './parse-url.ts';

/**
 * Refuses lone surrogates, and ASCII control characters other than `\t`, `\n` and `\r`. PostgreSQL cannot
 * store NUL.
 */
export const plainText = z.refine<string>(
  (text) => !hasControls(text, '\t\n\r'),
  'Há caracteres que não podem ser usados aqui.',
);

/** Like `plainText`, but also refuses line breaks and tabs. */
export const plainLine = z.refine<string>(
  (text) => !hasControls(text, ''),
  'Há caracteres que não podem ser usados aqui.',
);

/**
 * Refuses text that shows nothing: empty, white space, or only characters that are invisible by themselves,
 * such as zero-width spaces and fillers.
 */
export const visibleText = (message: string) =>
  z.refine<string>(isVisible, { error: message, params: { inDraft: true } });

/** False for a text that shows nothing. */
export const isVisible = (text: string): boolean => visible.test(text);

/**
 * Matches a visible character. The pattern names U+2800 (empty Braille cell) and U+1D159 (empty note head),
 * because Unicode classifies them as symbols.
 */
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;

/**
 * Writes the domain of an email address in ASCII (punycode), as mail servers expect it. Returns any other
 * text, and an address whose domain is impossible, unchanged.
 */
export function withAsciiDomain(address: string): string {
  const [, name, domain = ''] = /^([^@]*@)([^@\s/?#\\:%[\]]+)$/.exec(address) ?? [];
  if (name === undefined || !/[^\0-\x7f]/.test(domain)) return address;
  const host = parseUrl(`http://${domain}`)?.hostname;
  return host === undefined ? address : `${name}${host}`;
}

function hasControls(text: string, allowed: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isControl = code < 0x20 || code === 0x7f;
    const isHalfOfPair = code >= 0xd800 && code <= 0xdfff;
    if ((isControl && !allowed.includes(character)) || isHalfOfPair) return true;
  }
  return false;
}

/**
 * Normalizes text for searches and comparisons: lower case, without accents and invisible characters, with
 * one kind of apostrophe, dash, quotation mark and space.
 */
export const foldForSearch = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[‘’‛′＇`´ʹ-ʽ]/g, "'")
    .replace(/[\p{Diacritic}\p{Cf}]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[“”„‟«»″＂]/g, '"')
    .replaceAll('…', '...')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
