import type { Transaction } from 'kysely';
import type { FieldIssue } from '#contract/errors.ts';
import { checkSection } from '#contract/site/checks.ts';
import { completeContent, completeSection, withoutDefaults } from '#contract/site/complete.ts';
import { type SectionName, type SiteContent, sectionNames } from '#contract/site/content.ts';
import {
  adminSections,
  type DraftSection,
  type SiteDraft,
  type SiteVersion,
  withAdminParts,
} from '#contract/site/draft.ts';
import { shownContent } from '#contract/site/shown-content.ts';
import { warningsIn } from '#contract/site/warnings.ts';
import type { Database } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import { AppError } from '../http/errors.ts';
import { documentTag } from '../http/send-document.ts';
import { editorRoles } from '../permissions.ts';
import { findVersion, getVersion, sampleContent } from './content.ts';
import { filesIn, findMissingFiles, lockKeptFiles } from './site-files.ts';

/** Reads the whole draft, with the problems and warnings that an admin must know before the publication. */
export async function readDraft(database: Database): Promise<SiteDraft> {
  // One transaction reads both the tag and the sections, so that the tag matches the sections.
  return database.transaction().execute(async (transaction) => {
    const state = await readState(transaction);
    const { content } = await getVersion(transaction, state.version);
    const rows = await draftRows(transaction);
    const merged = mergedOf(content, rows);
    const missing = await findMissingFiles(transaction, merged);
    const sections = sectionNames.map((section) => {
      const row = rows.find((one) => one.section === section);
      return sectionOf(section, { published: content, row, missing });
    });
    const warnings = warningsIn(merged, sampleContent.content);
    return { version: state.version, tag: tagOf(state), sections, warnings };
  });
}

/** Reads what visitors would see after a publication of the draft. */
export async function readDraftContent(
  database: Database,
): Promise<{ version: number; content: SiteContent }> {
  return database.transaction().execute(async (transaction) => {
    const { version } = await readState(transaction);
    const { content } = await getVersion(transaction, version);
    return { version, content: shownContent(mergedOf(content, await draftRows(transaction))) };
  });
}

type Edit<Name extends SectionName> = {
  section: Name;
  /** The tag of the section as the admin saw it. */
  tag: string;
  content: SiteContent[Name];
  editorId: string;
  /** False for an editor, whose change keeps what only admins change. */
  byAdmin: boolean;
};

/**
 * Saves a section of the draft. A section that equals the published one is removed from the draft instead.
 * @throws AppError `documents/precondition-failed` with the current section, when another user has changed
 * the section; `auth/forbidden` when only admins change the section
 */
export async function saveSection<Name extends SectionName>(
  database: Database,
  { section, tag, content, editorId, byAdmin }: Edit<Name>,
): Promise<DraftSection> {
  return change(database, async (transaction, { version }) => {
    const published = (await getVersion(transaction, version)).content;
    const current = await requireTag(transaction, { section, tag, published });
    const next = byAdmin ? content : editedByEditor(section, content, current);
    await writeSection(transaction, { section, content: next, published, editorId });
    return getSection(transaction, section, published);
  });
}

/**
 * Returns the section as an editor may change it: what only admins change stays as it is in the draft.
 * @throws AppError `auth/forbidden` when only admins change the section
 */
function editedByEditor<Name extends SectionName>(
  section: Name,
  content: SiteContent[Name],
  current: SiteContent[Name],
): SiteContent[Name] {
  if (adminSections.includes(section)) throw new AppError('auth/forbidden');
  return withAdminParts(section, completeSection(section, content), current);
}

/**
 * Replaces a section of the draft with the published one.
 * @throws AppError like `saveSection`
 */
export async function discardSection<Name extends SectionName>(
  database: Database,
  { section, tag, editorId, byAdmin }: Omit<Edit<Name>, 'content'>,
): Promise<DraftSection> {
  return change(database, async (transaction, { version }) => {
    const published = (await getVersion(transaction, version)).content;
    const current = await requireTag(transaction, { section, tag, published });
    const next = byAdmin ? published[section] : editedByEditor(section, published[section], current);
    await writeSection(transaction, { section, content: next, published, editorId });
    return getSection(transaction, section, published);
  });
}

type Publication = { tag: string; note: string; warningsConfirmed: boolean; publisherId: string };

/**
 * Publishes the draft as a new version.
 * @throws AppError `documents/precondition-failed` when the draft has changed; `site/not-publishable` with
 * the list of what the admin must correct or confirm
 */
export async function publishDraft(
  database: Database,
  { tag, note, warningsConfirmed, publisherId }: Publication,
): Promise<{ version: number }> {
  return change(database, async (transaction, state) => {
    if (tagOf(state) !== tag) throw new AppError('documents/precondition-failed');
    const { content: published } = await getVersion(transaction, state.version);
    const rows = await draftRows(transaction);
    const content = mergedOf(published, rows);
    const issues: FieldIssue[] = sectionNames.flatMap((section) => {
      const { mistakes, problems } = checkSection(section, content[section]);
      return [...mistakes, ...problems].map(({ path, message }) => ({ path: `${section}.${path}`, message }));
    });
    issues.push(...(await findMissingFiles(transaction, content)));
    if (!warningsConfirmed)
      issues.push(
        ...warningsIn(content, sampleContent.content).map(({ section, path, message }) => ({
          path: `${section}.${path}`,
          message,
        })),
      );
    if (rows.length === 0) issues.push({ path: '', message: 'Nada mudou desde a última publicação.' });
    if (issues.length > 0) throw new AppError('site/not-publishable', { issues });
    const version = state.version + 1;
    await transaction
      .insertInto('siteVersions')
      .values({
        version,
        content: JSON.stringify(content),
        note,
        publishedAt: Date.now(),
        publishedBy: publisherId,
      })
      .execute();
    await transaction.deleteFrom('siteDrafts').execute();
    await transaction.updateTable('siteState').set({ version }).execute();
    return { version };
  });
}

/**
 * Replaces the draft with an older version. Visitors see it only after a publication.
 * @throws AppError `documents/precondition-failed` when the draft has changed; `documents/not-found` when
 * there is no such version
 */
export async function restoreVersion(
  database: Database,
  { version, tag, editorId }: { version: number; tag: string; editorId: string },
): Promise<void> {
  await change(database, async (transaction, state) => {
    if (tagOf(state) !== tag) throw new AppError('documents/precondition-failed');
    const restored = version > 0 && (await findVersion(transaction, version));
    if (!restored) throw new AppError('documents/not-found');
    const published = (await getVersion(transaction, state.version)).content;
    for (const section of sectionNames)
      await writeSection(transaction, { section, content: restored.content[section], published, editorId });
  });
}

/** Deletes files of the file service, in a transaction, by their paths. */
export type DeleteFiles = (transaction: Database, paths: string[]) => Promise<void>;

/**
 * Erases an older version for good, with the files that nothing else refers to. Backups keep it until they
 * expire.
 * @throws AppError `documents/not-found` when there is no such version; `documents/conflict` for the newest
 * version, which visitors see
 */
export async function eraseVersion(
  database: Database,
  version: number,
  deleteFiles: DeleteFiles,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const erased = await transaction
      .deleteFrom('siteVersions')
      .where('version', '=', version)
      .returning('content')
      .executeTakeFirst();
    if (!erased) throw new AppError('documents/not-found');
    // From here on, no publication can make another version the newest.
    const kept = await lockKeptFiles(transaction);
    if (version === (await readState(transaction)).version)
      throw new AppError('documents/conflict', { message: 'Esta versão está no site agora.' });
    const paths = filesIn(JSON.parse(erased.content)).map(({ path }) => path);
    await deleteFiles(
      transaction,
      paths.filter((path) => !kept.has(path)),
    );
  });
}

type Replacement = { tag: string; sections: Partial<SiteContent>; editorId: string };

/**
 * Replaces the whole draft. A section that is missing in `sections` is replaced with the published one.
 * @param tag the tag of the draft that the caller has seen
 * @returns the new tag of the draft
 * @throws AppError `documents/precondition-failed` when the draft has changed
 */
export async function replaceDraft(
  database: Database,
  { tag, sections, editorId }: Replacement,
): Promise<{ tag: string }> {
  return change(database, async (transaction, state) => {
    if (tagOf(state) !== tag) throw new AppError('documents/precondition-failed');
    const published = (await getVersion(transaction, state.version)).content;
    for (const section of sectionNames) {
      const content = sections[section] ?? published[section];
      await writeSection(transaction, { section, content, published, editorId });
    }
    return { tag: tagOf({ ...state, revision: state.revision + 1 }) };
  });
}

type State = { version: number; revision: number };
type DraftRow = Awaited<ReturnType<typeof draftRows>>[number];

const tagOf = ({ version, revision }: State) => `"${version}-${revision}"`;

const readState = (database: Database): Promise<State> =>
  database.selectFrom('siteState').select(['version', 'revision']).executeTakeFirstOrThrow();

/** Runs `work`, which changes the draft or the published version. Such changes run one after another. */
function change<Result>(
  database: Database,
  work: (transaction: Transaction<Tables>, before: State) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    const { version, revision } = await transaction
      .updateTable('siteState')
      .set((row) => ({ revision: row('revision', '+', 1) }))
      .returning(['version', 'revision'])
      .executeTakeFirstOrThrow();
    return work(transaction, { version, revision: revision - 1 });
  });
}

const draftRows = (database: Database) =>
  database
    .selectFrom('siteDrafts')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'siteDrafts.updatedBy').on('users.member', 'in', editorRoles),
    )
    .select([
      'siteDrafts.section',
      'siteDrafts.content',
      'siteDrafts.updatedAt',
      'users.displayName as editorName',
    ])
    .execute();

function mergedOf(published: SiteContent, rows: DraftRow[]): SiteContent {
  const edited = Object.fromEntries(rows.map(({ section, content }) => [section, JSON.parse(content)]));
  return completeContent({ ...published, ...edited });
}

/** @param missing the fields whose files do not exist; fields of other sections are ignored */
function sectionOf(
  section: SectionName,
  { published, row, missing }: { published: SiteContent; row: DraftRow | undefined; missing: FieldIssue[] },
): DraftSection {
  const content = contentOf(section, published, row);
  const prefix = `${section}.`;
  const missingHere = missing
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, message }) => ({ path: path.slice(prefix.length), message }));
  const { mistakes, problems } = checkSection(section, content);
  return {
    section,
    content,
    sample: sampleContent.content[section],
    // The tag ignores fields with default values. Otherwise the server could not save a form that was opened
    // with an older version of this program.
    tag: documentTag(withoutDefaults(section, content)),
    changed: row !== undefined,
    // `mistakes` can occur here, because an earlier version of this program may have accepted this content.
    problems: [...mistakes, ...problems, ...missingHere],
    updatedAt: row?.updatedAt ?? null,
    updatedBy: row?.editorName ? { name: row.editorName } : null,
  };
}

async function getSection(
  database: Database,
  section: SectionName,
  published: SiteContent,
): Promise<DraftSection> {
  const rows = await draftRows(database);
  const row = rows.find((one) => one.section === section);
  const missing = await findMissingFiles(database, { [section]: contentOf(section, published, row) });
  return sectionOf(section, { published, row, missing });
}

const contentOf = (section: SectionName, published: SiteContent, row: DraftRow | undefined) =>
  row ? completeSection(section, JSON.parse(row.content)) : published[section];

/** Returns the current content of the section, if the tag is that of the current section. */
async function requireTag<Name extends SectionName>(
  transaction: Database,
  { section, tag, published }: { section: Name; tag: string; published: SiteContent },
): Promise<SiteContent[Name]> {
  const current = await getSection(transaction, section, published);
  if (current.tag === tag) return current.content as SiteContent[Name];
  throw new AppError('documents/precondition-failed', { current, changedBy: current.updatedBy ?? undefined });
}

async function writeSection<Name extends SectionName>(
  transaction: Database,
  {
    section,
    content,
    published,
    editorId,
  }: { section: Name; content: SiteContent[Name]; published: SiteContent; editorId: string },
) {
  const text = JSON.stringify(completeSection(section, content));
  if (text === JSON.stringify(published[section])) {
    await transaction.deleteFrom('siteDrafts').where('section', '=', section).execute();
    return;
  }
  const row = { content: text, updatedAt: Date.now(), updatedBy: editorId };
  await transaction
    .insertInto('siteDrafts')
    .values({ section, ...row })
    .onConflict((conflict) => conflict.column('section').doUpdateSet(row))
    .execute();
}

/** The maximum number of versions that the history shows. Older versions stay in the database. */
const mostListed = 200;

/** Lists the newest published versions, newest first. */
export async function listVersions(database: Database): Promise<SiteVersion[]> {
  const rows = await database
    .selectFrom('siteVersions')
    .leftJoin('users', 'users.id', 'siteVersions.publishedBy')
    .select([
      'siteVersions.version',
      'siteVersions.note',
      'siteVersions.publishedAt',
      'users.displayName as publisherName',
    ])
    .orderBy('siteVersions.version', 'desc')
    .limit(mostListed)
    .execute();
  return rows.map(({ publisherName, ...row }) => ({
    ...row,
    publishedBy: publisherName === null ? null : { name: publisherName },
  }));
}
