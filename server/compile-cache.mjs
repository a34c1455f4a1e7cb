// What was compiled once is read at the next start. Plain JavaScript and before everything else, by `npm start`:
// to read a single file of TypeScript that is not in the cache Node loads a compiler, of 15 MB.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
