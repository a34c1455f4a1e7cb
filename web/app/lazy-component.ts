import { type ComponentType, lazy } from 'react';
import { loadChunk } from '#client/load-chunk.ts';

/**
 * A part that only some people need: its code comes when it is first shown. Without it, everything else goes on.
 * @param name of its chunk, for the error
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
