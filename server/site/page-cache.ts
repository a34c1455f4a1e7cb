import type { RenderedPage } from '#contract/site/document.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { type CachedDocument, createCachedDocument } from './document.ts';

/** The maximum number of characters of HTML in memory. The last requested page stays, whatever its size. */
const mostCharacters = 32_000_000;

/** A rendered page. `versions` identifies the content and the library that it was rendered from. */
type Entry = { versions: string; document: Promise<CachedDocument>; characters: number };

/**
 * Keeps rendered pages until their versions change. When the pages are too large in total, the cache forgets
 * the least recently requested ones.
 */
export function createPageCache() {
  /** The least recently used page comes first. */
  const entries = new Map<string, Entry>();
  let characters = 0;

  function forget(key: string, entry: Entry) {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    characters -= entry.characters;
  }

  function add(key: string, versions: string, rendered: Promise<RenderedPage>): Promise<CachedDocument> {
    const before = entries.get(key);
    if (before) forget(key, before);
    const entry: Entry = { versions, document: rendered.then(toDocument), characters: 0 };
    entries.set(key, entry);
    rendered.then(
      ({ html }) => {
        if (entries.get(key) !== entry) return;
        entry.characters = html.length;
        characters += html.length;
        for (const [other, old] of entries) {
          if (characters <= mostCharacters || old === entry) break;
          forget(other, old);
        }
      },
      // After an error, the next request tries again.
      () => forget(key, entry),
    );
    return entry.document;
  }

  return {
    /** Finds the page, if it was rendered from these versions. */
    find(key: string, versions: string): Promise<CachedDocument> | undefined {
      const known = entries.get(key);
      if (known?.versions !== versions) return undefined;
      entries.delete(key);
      entries.set(key, known);
      return known.document;
    },

    /** Finds the page, or renders it. Concurrent requests share one rendering. */
    read(key: string, versions: string, render: () => Promise<RenderedPage>): Promise<CachedDocument> {
      return this.find(key, versions) ?? add(key, versions, render());
    },
  };
}

const toDocument = ({ html, scriptHash, styleHash }: RenderedPage) =>
  createCachedDocument(
    html,
    'text/html; charset=utf-8',
    contentSecurityPolicy({ script: scriptHash, style: styleHash }),
  );
