import type { ComponentType } from 'react';
import type { ActionFunction, LoaderFunction } from 'react-router';
import { loadChunk } from '#client/load-chunk.ts';

/** The exports of a file in pages/. */
type PageModule = { Component: ComponentType; loader?: LoaderFunction; action?: ActionFunction };

/**
 * Creates a lazy route. The build finds the styles of a prerendered page by `id`, which names the page's file
 * in pages/.
 */
export function page(path: string, id: string, load: () => Promise<PageModule>) {
  return { id, path, lazy: () => loadChunk(id, load) };
}
