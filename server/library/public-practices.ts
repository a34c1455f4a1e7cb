import { type Activity, type ActivitySummary, activitySummary, isPublic } from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { choosePractices, type PracticeChoice } from '#contract/practices/choice.ts';
import { excerptOf } from '#contract/practices/excerpt.ts';
import { secondsOf } from '#contract/practices/length.ts';
import type { NightNeed } from '#contract/practices/night.ts';
import {
  type NightPractice,
  type PracticePage,
  type PracticesPage,
  practicesPerPage,
} from '#contract/practices/page.ts';
import { oncePerVersion } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import type { ReadVersions, Versions } from '../database/versions.ts';
import { findActivity } from './activities.ts';
import { perList } from './list-versions.ts';

/** The columns of an activity without `content`. */
const summaryColumns = Object.keys(activitySummary.shape) as (keyof ActivitySummary)[];

/** The number of practices that the page offers for each need at night. */
const mostPerNeed = 6;
/** The number of characters from whose beginning a card's excerpt is made. */
const readCharacters = 1_000;

/** What decides whether and where a practice is shown. The memory holds it for every public practice. */
type Indexed = Pick<Activity, 'id' | 'createdAt' | 'minutes' | 'audioSeconds' | 'night'>;

/** The public practices of a list, in the clinic's order. */
type ListIndex = {
  practices: Indexed[];
  untimed: number;
  /** The practices of each choice that a visitor has made since the list changed. */
  chosen: Map<string, Indexed[]>;
};

export type PublicPractices = ReturnType<typeof createPublicPractices>;

/**
 * Reads the practices that visitors may see. The choice of practices comes from an index in memory, which is
 * read once per version of a list. Only the practices of one page are read from the database.
 */
export function createPublicPractices(database: Database, readVersions: ReadVersions) {
  const indexes = perList(() => oncePerVersion<ListIndex>());
  const night = oncePerVersion<NightPractice[]>();

  const indexOf = (list: ListName, { lists }: Versions) =>
    indexes[list](lists[list], () => readIndex(database, list));

  async function readIndexes(): Promise<ListIndex[]> {
    const versions = await readVersions();
    return Promise.all(listNames.map((list) => indexOf(list, versions)));
  }

  async function readNight(): Promise<NightPractice[]> {
    const counts = new Map<NightNeed, number>();
    const all = (await readIndexes()).flatMap(({ practices }) => practices);
    const offered = all.filter(({ night: need }) => {
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
    /** Returns the number of pages of a choice; at least 1. */
    async countPages(choice: PracticeChoice, versions: Versions): Promise<number> {
      return pagesOf(chosenIn(await indexOf(listOf(choice.axis), versions), choice));
    },

    /** Reads one page of the chosen practices. After the last page comes the last page again. */
    async readPage(choice: PracticeChoice): Promise<PracticesPage> {
      const index = await indexOf(listOf(choice.axis), await readVersions());
      const chosen = chosenIn(index, choice);
      const pages = pagesOf(chosen);
      const page = Math.min(choice.page, pages);
      const first = (page - 1) * practicesPerPage;
      const rows = await readRows(database, chosen.slice(first, first + practicesPerPage));
      return {
        practices: rows.map(({ beginning, ...summary }) => ({ ...summary, excerpt: excerptOf(beginning) })),
        page,
        pages,
        chosen: chosen.length,
        total: index.practices.length,
        untimed: index.untimed,
      };
    },

    /** Reads the practices for the night: of each need, the first ones in the order of the lists. */
    readNight: async (): Promise<NightPractice[]> => night((await readVersions()).library, readNight),

    /** Counts the public practices of all lists. */
    count: async (): Promise<number> =>
      (await readIndexes()).reduce((sum, { practices }) => sum + practices.length, 0),

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

const pagesOf = (chosen: readonly unknown[]) => Math.max(1, Math.ceil(chosen.length / practicesPerPage));

function chosenIn({ practices, chosen }: ListIndex, choice: PracticeChoice): Indexed[] {
  const key = `${choice.minutes} ${choice.order}`;
  const known = chosen.get(key) ?? choosePractices(practices, choice);
  chosen.set(key, known);
  return known;
}

async function readIndex(database: Database, list: ListName): Promise<ListIndex> {
  const practices = await database
    .selectFrom('activities')
    .select(['id', 'createdAt', 'minutes', 'audioSeconds', 'night'])
    .where('list', '=', list)
    .where('visibility', '=', 'public')
    .orderBy('position')
    .execute();
  const untimed = practices.filter((practice) => secondsOf(practice) === undefined).length;
  return { practices, untimed, chosen: new Map() };
}

/** Reads these practices with the beginnings of their texts. Leaves out those that are no longer public. */
async function readRows(database: Database, indexed: readonly Pick<Indexed, 'id'>[]) {
  if (indexed.length === 0) return [];
  const ids = indexed.map(({ id }) => id);
  const rows = await database
    .selectFrom('activities')
    .select(summaryColumns)
    .select((row) =>
      row.fn<string>('substr', ['content', row.lit(1), row.lit(readCharacters)]).as('beginning'),
    )
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
