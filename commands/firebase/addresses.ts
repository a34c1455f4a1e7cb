/** A file of the old project, as a URL names it. */
export type OldFile = { bucket: string; name: string };

/** Returns the URL of the file on this site; undefined to keep the old URL. */
export type FindNewAddress = (file: OldFile) => string | undefined;

const stops = String.raw`\s"'<>\\^\`{}|`;
/**
 * Matches URLs of Firebase's and Google's file services. The last pattern matches such a URL in
 * percent-encoded form, because it can be a parameter of another URL.
 */
const address = new RegExp(
  [
    String.raw`\bgs://[^${stops}]+`,
    String.raw`https?://(?:firebasestorage\.googleapis\.com|storage\.googleapis\.com|storage\.cloud\.google\.com)(?::443)?/[^${stops}]+`,
    String.raw`https?://[a-z0-9][a-z0-9._-]{1,220}\.storage\.googleapis\.com/[^${stops}]+`,
    String.raw`https?%3A%2F%2F(?:firebasestorage|storage)\.googleapis\.com%2F[^${stops}&]+`,
  ].join('|'),
  'gi',
);

/**
 * Replaces every URL of an old file in a text.
 * @param isKnown true if the export has the file; decides where a URL ends, for example before a full stop
 */
export function rewriteAddresses(
  text: string,
  isKnown: (file: OldFile) => boolean,
  find: FindNewAddress,
): string {
  return text.replace(address, (found) => {
    const isEncoded = /^https?%3A/i.test(found);
    const given = isEncoded ? decoded(found) : found;
    if (given === undefined) return found;
    const { file, end } = readAddress(given, isKnown);
    if (!file) return found;
    const next = find(file);
    if (next === undefined) return found;
    return (isEncoded ? encodeURIComponent(next) : next) + given.slice(end);
  });
}

/** True if the whole text is one URL of an old file. */
export function isOneAddress(text: string): boolean {
  const [found] = text.match(address) ?? [];
  return found !== undefined && found.length === text.trim().length;
}

/** At most this many punctuation marks at the end of a URL can belong to the sentence around it. */
const mostSigns = 10;

/** Finds the file of a URL. Punctuation at its end may belong to the sentence around it. */
function readAddress(given: string, isKnown: (file: OldFile) => boolean) {
  let end = given.length;
  const whole = fileIn(given);
  // The name of a file can end with punctuation, but the token in a query cannot.
  const hasQuery = !/^gs:/i.test(given) && /[?#]/.test(given);
  for (let signs = 0; signs < mostSigns; signs += 1) {
    const file = hasQuery ? undefined : fileIn(given.slice(0, end));
    if (file && isKnown(file)) return { file, end };
    if (!/[.,;:!?)\]*_~]/.test(given[end - 1] ?? '')) break;
    end -= 1;
  }
  return { file: fileIn(given.slice(0, end)) ?? whole, end };
}

/** @returns undefined for a URL of these services that names no file */
function fileIn(given: string): OldFile | undefined {
  const [, ofGs, nameOfGs] = /^gs:\/\/([^/]+)\/(.+)$/is.exec(given) ?? [];
  if (ofGs !== undefined && nameOfGs !== undefined) return fileOf(ofGs, nameOfGs, false);
  const [, rest = ''] = /^https?:\/\/([^?#]+)/i.exec(given) ?? [];
  const [host = '', ...segments] = rest.split('/');
  const path = segments.join('/');
  // v0/b/<bucket>/o/<name>, or with storage/v1/ or download/storage/v1/ instead of v0/
  const [, bucket, name] = /^(?:v0|(?:download\/)?storage\/v1)\/b\/([^/]+)\/o\/(.+)$/s.exec(path) ?? [];
  if (bucket !== undefined && name !== undefined) return fileOf(bucket, name, true);
  const ofHost = /^([^:]+)\.storage\.googleapis\.com(?::443)?$/i.exec(host)?.[1];
  if (ofHost !== undefined) return fileOf(ofHost, path, true);
  if (/^firebasestorage\./i.test(host)) return undefined;
  return fileOf(segments[0] ?? '', segments.slice(1).join('/'), true);
}

function fileOf(bucket: string, name: string, isEncoded: boolean): OldFile | undefined {
  const plain = isEncoded ? (decoded(name) ?? name) : name;
  return bucket === '' || plain === '' ? undefined : { bucket, name: plain };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
