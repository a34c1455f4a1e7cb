import type { ComponentProps } from 'react';
import type { Path } from '../values.ts';

/** The heading of the group or list at a path. The page's title is the first level. */
export function Heading({ path, ...props }: { path: Path } & ComponentProps<'h2'>) {
  const Level = (['h2', 'h2', 'h3', 'h4'] as const)[path.length] ?? 'h5';
  return <Level {...props} />;
}
