import { type ComponentType, lazy } from 'react';

/** A part that only some people need: its code comes when it is first shown. Without it, everything else goes on. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
