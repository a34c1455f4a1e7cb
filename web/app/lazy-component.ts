import { type ComponentType, lazy } from 'react';
import { loadChunk } from '#client/load-chunk.ts';

/**
 * Creates a component whose code loads at its first render. If the code cannot be loaded, the component
 * renders nothing.
 * @param name the chunk's name, for the error
 */
export const lazyComponent = <Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
) =>
  lazy<ComponentType<Props>>(() =>
    loadChunk(name, load).then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
