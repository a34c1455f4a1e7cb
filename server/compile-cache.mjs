// Lets Node reuse compiled code at the next start. `npm start` loads this file first, so this file itself is
// never in the cache. If it were TypeScript, Node would load a compiler of 15 MB for it at every start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
