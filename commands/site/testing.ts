import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { SiteContent } from '#contract/site/content.ts';
import type { databaseKinds } from '#server/testing/databases.ts';
import { photo, png } from '#server/testing/pictures.ts';
import { startTestServer, type TestServer, type TestUser } from '#server/testing/server.ts';
import { realIdentity, sectionOf, withFields } from '#server/testing/site-content.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';

/** Starts the real app with all services, as the site's admins use it. */
export function start(
  t: TestContext,
  kind: (typeof databaseKinds)[number] = 'sqlite',
  environment: Record<string, string> = {},
) {
  return startTestServer(t, kind, { services: ['auth', 'documents', 'storage', 'site'], environment });
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acolhe-export-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Publishes content of a clinic, with three pictures and a sound that are not from the sample content. */
export async function publishWithFiles(admin: TestUser): Promise<void> {
  const storage = storageOf(admin);
  const store = async (path: string, content: Uint8Array<ArrayBuffer>) => {
    assert.equal((await storage.send(path, content)).status, 201, path);
    return storage.url(path);
  };
  const file = await store('site/portrait/foto', await photo(60, 40));
  const dark = await store('site/portrait/escura', await png(30, 40));
  const profile = await store('site/profile/perfil', await png(50, 40));
  const audio = await store('site/audio/som', mp3(50_000));
  const { site } = admin.client;
  const draft = await site.getDraft();
  const { hero, about, listen } = sectionOf(draft, 'home').content;
  const { externalVideo } = sectionOf(draft, 'practices').content;
  const url = 'https://www.youtube.com/watch?v=00000000000';
  const days = [{ weekdays: ['tue' as const], opens: '08:00', closes: '12:00' }];
  const schedule = { ...realIdentity.schedule, days };
  // Replaces sample content that would cause warnings.
  await site.saveSection(withFields(draft, 'identity', { ...realIdentity, schedule }));
  await site.saveSection(withFields(draft, 'privacy', { sections: [] }));
  await site.saveSection(withFields(draft, 'practices', { externalVideo: { ...externalVideo, url } }));
  await site.saveSection(
    withFields(draft, 'home', {
      hero: { ...hero, portrait: { file, dark, alt: 'A médica sorri' } },
      about: { ...about, portrait: { ...about.portrait, file: profile } },
      fees: { title: '', prices: [], paragraphs: [], items: [] },
      listen: { ...listen, audio },
    }),
  );
  await site.publish((await site.getDraft()).tag);
}

/** Exports the published content and changes the JSON file. @returns the changed content */
export async function exportAndEdit(
  server: TestServer,
  folder: string,
  edit: (content: SiteContent) => void,
): Promise<SiteContent> {
  const file = join(folder, 'site.json');
  const { code, output } = await runSite(server, 'export', file, '--overwrite');
  assert.equal(code, 0, output);
  const content = JSON.parse(await readFile(file, 'utf8')) as SiteContent;
  edit(content);
  await writeFile(file, JSON.stringify(content));
  return content;
}

export const listFiles = ({ database }: TestServer) => database.selectFrom('files').select('path').execute();

export async function assertUnchanged(server: TestServer): Promise<void> {
  assert.deepEqual(await listFiles(server), []);
  assert.deepEqual(await server.database.selectFrom('siteDrafts').select('section').execute(), []);
  assert.deepEqual(await server.database.selectFrom('siteVersions').select('version').execute(), []);
}

/** Returns the digest of every file in a folder, by its path. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = files.map(async (file) => [file.slice(folder.length + 1), sha256Of(await readFile(file))]);
  return Object.fromEntries((await Promise.all(digests)).sort()) as Record<string, string>;
}

/** Runs the command on the data of a server. */
export function runSite(
  {
    dataDir,
    databaseUrl,
    settings,
  }: Pick<TestServer, 'dataDir' | 'databaseUrl'> & { settings?: Record<string, string> },
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', ...settings };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '..', 'site.ts'), ...args],
      { env, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: (stdout + stderr).trim() }),
    );
  });
}
