// Reuses compiled code at the next start. `npm start` loads this file first. It is plain JavaScript, because
// Node would load a compiler of 15 MB for a single TypeScript file that is not in the cache.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
