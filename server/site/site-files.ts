import type { FieldIssue } from '#contract/errors.ts';
import { textsIn } from '#contract/site/sample-values.ts';
import type { Database } from '../database/connect.ts';
import { equalInConstantTime } from '../http/tokens.ts';

/** The number of latest versions whose files are kept, so that an admin can restore these versions. */
const keptVersions = 50;

type NamedFile = {
  /** The field that names the file, for example `home.hero.portrait.file`. */
  field: string;
  /** The path in the file service, for example `site/portrait/abc`. */
  path: string;
  token: string;
};

const fileUrl = /^\/files\/(site\/(?:portrait|profile|audio)\/[\w-]{1,64})\?token=([\w-]+)$/;

/** Returns the stored file that a URL of the content names; `undefined` if it names a sample file. */
export function storedFileOf(url: string): { path: string; token: string } | undefined {
  const [, path, token] = fileUrl.exec(url) ?? [];
  return path === undefined || token === undefined ? undefined : { path, token };
}

/** Lists the stored files that content names. */
export function filesIn(content: unknown): NamedFile[] {
  return textsIn(content).flatMap(({ path: field, text }) => {
    const file = storedFileOf(text);
    return file ? [{ field, ...file }] : [];
  });
}

/** Finds the fields that name a stored file which does not exist or has another token. */
export async function findMissingFiles(database: Database, content: unknown): Promise<FieldIssue[]> {
  const named = filesIn(content);
  if (named.length === 0) return [];
  const stored = await database
    .selectFrom('files')
    .select(['path', 'token'])
    .where(
      'path',
      'in',
      named.map(({ path }) => path),
    )
    .execute();
  return named
    .filter(({ path, token }) =>
      stored.every((file) => file.path !== path || !equalInConstantTime(token, file.token)),
    )
    .map(({ field, path }) => ({
      path: field,
      message: path.startsWith('site/audio/')
        ? 'o áudio não existe mais: escolha outro'
        : 'a imagem não existe mais: escolha outra',
    }));
}

/**
 * Lists the files that the draft or one of the latest versions names. Writers of the site's content wait
 * until the transaction ends, so that no writer names a file that this transaction deletes.
 * @returns paths in the file service
 */
export async function lockKeptFiles(transaction: Database): Promise<ReadonlySet<string>> {
  // This takes the lock that every writer takes, because `change` in drafts.ts updates this row first.
  await transaction
    .updateTable('siteState')
    .set((row) => ({ revision: row.ref('revision') }))
    .execute();
  const drafts = await transaction.selectFrom('siteDrafts').select('content').execute();
  const versions = await transaction
    .selectFrom('siteVersions')
    .select('content')
    .orderBy('version', 'desc')
    .limit(keptVersions)
    .execute();
  const named = [...drafts, ...versions].flatMap(({ content }) => filesIn(JSON.parse(content)));
  return new Set(named.map(({ path }) => path));
}
