import type { ComponentType } from 'react';
import type { ActionFunction, LoaderFunction } from 'react-router';
import { loadChunk } from '#client/load-chunk.ts';

/** What a route needs of a page: the exports of most files in pages/. */
export type PageModule = { Component: ComponentType; loader?: LoaderFunction; action?: ActionFunction };

/**
 * Creates a lazy route.
 * @param id begins with the page's area: the build finds the styles of a prerendered page by it
 */
export function page(path: string, id: string, load: () => Promise<PageModule>) {
  return { id, path, lazy: () => loadChunk(id, load) };
}
