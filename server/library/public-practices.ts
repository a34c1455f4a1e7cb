import { setImmediate } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import { type Activity, type ActivitySummary, activitySummary, isPublic } from '#contract/activity.ts';
import { type ListName, listNames, listOf, type MainAxis } from '#contract/axes.ts';
import {
  type PracticeChoice,
  practicesForNeed,
  practicesWithin,
  sortPractices,
} from '#contract/practices/choice.ts';
import { excerptOf } from '#contract/practices/excerpt.ts';
import { secondsOf } from '#contract/practices/length.ts';
import { type Need, needIdsIn } from '#contract/practices/needs.ts';
import type { NightNeed } from '#contract/practices/night.ts';
import {
  type NightPractice,
  type PracticePage,
  type PracticesPage,
  practicesPerPage,
} from '#contract/practices/page.ts';
import { oncePerVersion } from '../concurrency.ts';
import type { Database, Tables } from '../database/connect.ts';
import type { ReadVersions, Versions } from '../database/versions.ts';
import { findActivity } from './activities.ts';
import { perList } from './list-versions.ts';
import { createSearchIndex } from './practice-search.ts';

/** The columns of an activity without `content`. */
const summaryColumns = Object.keys(activitySummary.shape) as (keyof ActivitySummary)[];

/** The number of practices that the page offers for each need at night. */
const mostPerNeed = 6;
/** The number of characters from whose beginning a card's excerpt is made. */
const readCharacters = 1_000;

/** Searches read at most this many characters of all texts of a list, the same number of each text. */
const searchedCharacters = 3_000_000;
/** The number of texts that one query reads for searches, so that long texts do not block the server. */
const textsPerQuery = 200;

/** What decides whether and where a practice is shown. The memory holds it for every public practice. */
type Indexed = Pick<Activity, 'id' | 'createdAt' | 'night' | 'needs'> & { seconds: number | undefined };

export type PublicPractices = ReturnType<typeof createPublicPractices>;

/**
 * Reads the practices that visitors may see. The choice of practices comes from an index in memory, which is
 * read once per version of a list. Only the practices of one page are read from the database.
 */
export function createPublicPractices(database: Database, readVersions: ReadVersions) {
  /** The public practices of each list, in the clinic's order. */
  const indexes = perList(() => oncePerVersion<Indexed[]>());
  /** What searches read. It is made at the first search after a change of the list. */
  const searched = perList(() => oncePerVersion<SearchIndex>());
  /** The practices of each axis in each order, as visitors have asked for them since the last change. */
  const ordered = oncePerVersion<Map<string, readonly Indexed[]>>();
  const night = oncePerVersion<NightPractice[]>();

  const indexOf = (list: ListName, { lists }: Versions) =>
    indexes[list](lists[list], () => readIndex(database, list));

  async function readIndexes(): Promise<Indexed[]> {
    const versions = await readVersions();
    return (await Promise.all(listNames.map((list) => indexOf(list, versions)))).flat();
  }

  /** Returns the practices of an axis, or of all axes, in an order. It sorts them once per version. */
  async function readOrdered({ axis, order }: PracticeChoice, versions: Versions) {
    const known = await ordered(versions.library, async () => new Map());
    const key = `${axis} ${order}`;
    const practices =
      known.get(key) ??
      sortPractices((await Promise.all(listsOf(axis).map((list) => indexOf(list, versions)))).flat(), order);
    known.set(key, practices);
    return practices;
  }

  /** Returns the practices of a choice, and those that it leaves out only because they are too long. */
  async function choose(choice: PracticeChoice, needs: readonly Need[], versions: Versions) {
    const forNeed = practicesForNeed(await readOrdered(choice, versions), choice.need);
    const fitting = choice.search === '' ? forNeed : await search(forNeed, choice, needs, versions);
    return { fitting, chosen: practicesWithin(fitting, choice.minutes) };
  }

  /** In the clinic's order, practices whose title matches come first. */
  async function search(
    practices: readonly Indexed[],
    choice: PracticeChoice,
    needs: readonly Need[],
    versions: Versions,
  ): Promise<readonly Indexed[]> {
    const results = await Promise.all(
      listsOf(choice.axis).map(async (list) => {
        const make = async () => makeSearchIndex(database, await indexOf(list, versions));
        return (await searched[list](versions.lists[list], make)).search(choice.search, needs);
      }),
    );
    const found = practices.filter(({ id }) => results.some(({ all }) => all.has(id)));
    if (choice.order !== 'clinic') return found;
    const [best, others]: [Indexed[], Indexed[]] = [[], []];
    for (const practice of found)
      (results.some((result) => result.best.has(practice.id)) ? best : others).push(practice);
    return [...best, ...others];
  }

  async function readNight(): Promise<NightPractice[]> {
    const counts = new Map<NightNeed, number>();
    const offered = (await readIndexes()).filter(({ night: need }) => {
      if (need === '') return false;
      const before = counts.get(need) ?? 0;
      counts.set(need, before + 1);
      return before < mostPerNeed;
    });
    const rows = await readRows(database, offered);
    return rows.map(
      ({ image: _image, createdAt: _created, updatedAt: _updated, beginning: _text, ...link }) => link,
    );
  }

  return {
    /**
     * Reads one page of the chosen practices. After the last page comes the last page again.
     * @param needs the needs of the site content, whose names a search also finds
     */
    async readPage(choice: PracticeChoice, needs: readonly Need[]): Promise<PracticesPage> {
      const { fitting, chosen } = await choose(choice, needs, await readVersions());
      const pages = Math.max(1, Math.ceil(chosen.length / practicesPerPage));
      const page = Math.min(choice.page, pages);
      const first = (page - 1) * practicesPerPage;
      const rows = await readRows(database, chosen.slice(first, first + practicesPerPage));
      return {
        practices: rows.map(({ beginning, ...summary }) => ({ ...summary, excerpt: excerptOf(beginning) })),
        page,
        pages,
        chosen: chosen.length,
        total: fitting.length,
        untimed: fitting.filter(({ seconds }) => seconds === undefined).length,
      };
    },

    /** Reads the practices for the night: of each need, the first ones in the order of the lists. */
    readNight: async (): Promise<NightPractice[]> => night((await readVersions()).library, readNight),

    /** Counts the public practices of all lists. */
    count: async (): Promise<number> => (await readIndexes()).length,

    /** Lists a part of the public practices of all lists, for the sitemap. */
    listPart: async (part: {
      first: number;
      count: number;
    }): Promise<Pick<Activity, 'id' | 'title' | 'updatedAt'>[]> =>
      database
        .selectFrom('activities')
        .select(['id', 'title', 'updatedAt'])
        .where('visibility', '=', 'public')
        .orderBy('list')
        .orderBy('position')
        .offset(part.first)
        .limit(part.count)
        .execute(),
  };
}

const listsOf = (axis: MainAxis | undefined): readonly ListName[] =>
  axis === undefined ? listNames : [listOf(axis)];

async function readIndex(database: Database, list: ListName): Promise<Indexed[]> {
  const rows = await database
    .selectFrom('activities')
    .select(['id', 'createdAt', 'minutes', 'audioSeconds', 'night', 'needs'])
    .where('list', '=', list)
    .where('visibility', '=', 'public')
    .orderBy('position')
    .execute();
  // V8 reads fields of object literals much faster than those of a database's rows.
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt,
    night: row.night,
    needs: row.needs,
    seconds: secondsOf(row),
  }));
}

type SearchIndex = ReturnType<typeof createSearchIndex>;

async function makeSearchIndex(database: Database, practices: readonly Indexed[]): Promise<SearchIndex> {
  const index = createSearchIndex();
  const characters = Math.floor(searchedCharacters / Math.max(1, practices.length));
  for (let start = 0; start < practices.length; start += textsPerQuery) {
    const ids = practices.slice(start, start + textsPerQuery).map(({ id }) => id);
    const rows = await database
      .selectFrom('activities')
      .select((row) => ['id', 'title', 'needs', beginningOf(row, characters).as('text')])
      .where('id', 'in', ids)
      .where('visibility', '=', 'public')
      .execute();
    for (const { needs, ...row } of rows) {
      index.add({ ...row, needs: needIdsIn(needs) });
      // Long texts take milliseconds each, so let other requests run between them.
      await setImmediate();
    }
  }
  return index;
}

const beginningOf = (row: ExpressionBuilder<Tables, 'activities'>, characters: number) =>
  row.fn<string>('substr', ['content', row.lit(1), row.lit(characters)]);

/** Reads these practices with the beginnings of their texts. Leaves out those that are no longer public. */
async function readRows(database: Database, indexed: readonly Pick<Indexed, 'id'>[]) {
  if (indexed.length === 0) return [];
  const ids = indexed.map(({ id }) => id);
  const rows = await database
    .selectFrom('activities')
    .select(summaryColumns)
    .select((row) => beginningOf(row, readCharacters).as('beginning'))
    .where('id', 'in', ids)
    .where('visibility', '=', 'public')
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The number of other practices that the page of a practice offers. */
const othersCount = 3;

/** Reads what the page of a practice shows. It treats hidden activities as missing. */
export async function readPracticePage(database: Database, id: string): Promise<PracticePage> {
  const found = await findActivity(database, id);
  if (found && isPublic(found))
    return { practice: found, deleted: false, others: await readOthers(database, found) };
  const gone = await database
    .selectFrom('goneActivities')
    .select('list')
    .where('id', '=', id)
    .executeTakeFirst();
  if (found || !gone) return { practice: null, deleted: false, others: [] };
  return { practice: null, deleted: true, others: await publicIn(database, gone.list).execute() };
}

/** Returns the next public activities of the list. After the last one, it continues with the first ones. */
async function readOthers(database: Database, { id, axis }: Activity) {
  const position = database.selectFrom('activities').select('position').where('id', '=', id);
  const following = await publicIn(database, listOf(axis)).where('position', '>', position).execute();
  const missing = othersCount - following.length;
  if (missing === 0) return following;
  const first = await publicIn(database, listOf(axis))
    .where('position', '<', position)
    .limit(missing)
    .execute();
  return [...following, ...first];
}

const publicIn = (database: Database, list: ListName) =>
  database
    .selectFrom('activities')
    .select(summaryColumns)
    .where('list', '=', list)
    .where('visibility', '=', 'public')
    .orderBy('position')
    .limit(othersCount);
