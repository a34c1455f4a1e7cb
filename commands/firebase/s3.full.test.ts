import assert from 'node:assert/strict';
import { it } from 'node:test';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { startTestServer } from '#server/testing/server.ts';
import { mp3, sha256Of } from '#server/testing/storage.ts';
import { content, smallProject, writeProject } from './testing/fixture.ts';
import { importFrom } from './testing/run.ts';

it('the import writes files to S3, and imports nothing when S3 is unavailable', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const settings = s3Environment(swift);
  const server = await startTestServer(t, 'sqlite', { environment: settings });
  const target = { ...server, settings };
  const project = await smallProject();
  const long = mp3(9_000_000);
  project.contents.push(content('postAudios/mind/longo', long, 'audio/mpeg'));
  const folder = await writeProject(t, project);
  await importFrom(target, folder);
  const files = await server.database.selectFrom('files').select(['path', 'token']).execute();
  assert.equal(files.length, 5);
  for (const { path, token } of files) {
    const response = await fetch(`${server.url}/files/${path}?token=${token}`);
    assert.equal(response.status, 200, path);
    const bytes = await response.bytes();
    if (path.endsWith('longo')) assert.equal(sha256Of(bytes), sha256Of(long), 'in two parts');
  }

  await swift.stop();
  const other = await startTestServer(t, 'sqlite');
  await assert.rejects(importFrom({ ...other, settings }, folder), { code: 'server/unavailable' });
  assert.deepEqual(await other.database.selectFrom('users').select('id').execute(), []);
});
