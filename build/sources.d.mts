/** Returns a hash of everything that the site is built from. */
export function hashSources(root: string): string;
/** Notes what dist/ was built from: what `hashSources` returned before the build. */
export function noteBuilt(root: string, sources: string): void;
