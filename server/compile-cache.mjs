// Lets Node reuse compiled code at the next start. `npm start` loads this file first, so this file itself is
// never in the cache. It is not TypeScript, because Node would then load a compiler of 15 MB at every start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
