import type { Database } from '../database/connect.ts';

/** A file to which a row refers. `usedIn` says where users see it. */
export type FileReference = { path: string; usedIn: string };

/**
 * Returns the files to which activities, users, mood records and site content refer, even if the files do not
 * exist.
 */
export async function listFileReferences(database: Database): Promise<FileReference[]> {
  const activities = await database.selectFrom('activities').select(['title', 'image', 'audio']).execute();
  const pictures = database.selectFrom('users').select(['id', 'profilePic']);
  const users = await pictures.where('profilePic', 'is not', null).execute();
  const moods = await database.selectFrom('wordMood').select(['uid', 'record']).execute();
  const drafts = await database.selectFrom('siteDrafts').select('content').execute();
  const published = await database
    .selectFrom('siteVersions')
    .innerJoin('siteState', 'siteState.version', 'siteVersions.version')
    .select('content')
    .execute();
  return [
    ...activities.flatMap(({ title, image, audio }) => filesIn(`prática “${title}”`, image, audio)),
    ...users.flatMap(({ id, profilePic }) => filesIn(`foto de perfil da conta ${id}`, profilePic)),
    ...moods.flatMap(({ uid, record }) => filesIn(`registro de humor da conta ${uid}`, record)),
    ...drafts.flatMap(({ content }) => filesIn('rascunho do conteúdo do site', content)),
    ...published.flatMap(({ content }) => filesIn('conteúdo publicado do site', content)),
  ];
}

/** Finds the paths in URLs such as `/files/site/portrait/1?token=x`. */
function filesIn(usedIn: string, ...texts: (string | null)[]): FileReference[] {
  const parts = texts.flatMap((text) => String(text).split('/files/').slice(1));
  const named = parts.filter((part) => part.includes('?token='));
  return named.map((part) => ({ path: part.split('?token=', 1)[0] ?? '', usedIn }));
}
