import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';

/** In the order of their names. A migration that has been released is never edited. */
export const migrations: Record<string, Migration> = { '001-initial': initial };
