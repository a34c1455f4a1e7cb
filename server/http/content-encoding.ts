export type ContentEncoding = 'br' | 'gzip' | 'identity';

/**
 * Returns the best encoding that an Accept-Encoding header allows. `q=0` refuses an encoding (RFC 9110,
 * 12.4.2).
 */
export function encodingFor(header: string | string[] | undefined): ContentEncoding {
  const accepted = String(header ?? '');
  if (brotli.test(accepted)) return 'br';
  return gzip.test(accepted) ? 'gzip' : 'identity';
}

const brotli = /(?:^|[\s,])br\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i;
const gzip = /(?:^|[\s,])gzip\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i;
