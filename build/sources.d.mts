/** Returns a hash of everything that dist/ is built from. */
export function hashSources(root: string): string;
/** Records what dist/ was built from. `sources` is what `hashSources` returned before the build. */
export function noteBuilt(root: string, sources: string): void;
