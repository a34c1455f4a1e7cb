import { type ComponentType, lazy } from 'react';
import { loadChunk } from '#client/load-chunk.ts';

/**
 * A component for some users, whose code loads when it is first shown. If that fails, it shows nothing.
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
