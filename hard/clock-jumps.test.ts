import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { findFaketime } from '#checks/test-machine.ts';
import { paths } from '#contract/paths.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from './figures.ts';
import { temporaryFolder } from './machine.ts';

const account = { email: 'ana@exemplo.com.br', password: 'senha12345' };
const wrongAttempts = 12;
const library = findFaketime();

it('a clock that jumps forward and back locks nobody out and deletes no usage records', async (t) => {
  assert.ok(library, 'faketime is installed');
  const folder = await temporaryFolder(t);
  const dataDir = path.join(folder, 'data');
  const clock = path.join(folder, 'clock');
  const jumpTo = (offset: string) => writeFile(clock, offset);
  const start = (port?: string) =>
    startServerProcess(dataDir, {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
      // Timers use the monotonic clock, which never jumps.
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
      ...(port && { PORT: port }),
    });
  await jumpTo('+0');
  let server = await start();
  t.after(() => server.kill());
  const { url, port } = server;
  await visitorAt(url, url).client.auth.signUp({ displayName: 'Ana', ...account });
  const tryUntilRefused = async () => {
    const wrong = { ...account, password: 'senhaErrada1' };
    let status = 0;
    for (let count = 0; count < wrongAttempts; count += 1) status = await signIn(url, wrong);
    assert.equal(status, 429);
    assert.equal(await signIn(url, account), 429);
  };
  const recordedDays = async () =>
    (await readdir(path.join(dataDir, 'usage-records'))).map((name) => name.slice(0, '2026-01-01'.length));

  await tryUntilRefused();
  const [firstDay, ...otherDays] = await recordedDays();
  assert.ok(firstDay && otherDays.length === 0);

  await jumpTo('+8d');
  assert.equal(await signIn(url, account), 200, 'the window of the rate limit is over');
  await tryUntilRefused();
  await jumpTo('+0');
  assert.equal(await signIn(url, account), 200, 'a window never lasts longer than it should');

  await jumpTo('+200d');
  assert.equal(await signIn(url, account), 200);
  await server.stop();
  server = await start(port);
  assert.equal(await signIn(url, account), 200);
  await jumpTo('+0');
  assert.equal(await signIn(url, account), 200);
  assert.ok((await recordedDays()).includes(firstDay), 'the records of the first day are kept');

  await jumpTo('-3d');
  assert.equal(await signIn(url, account), 200);
  assert.equal((await fetch(url)).status, 200);
  await jumpTo('+0');
  await server.stop();
  report('a clock that jumps by +8, +200 and −3 days', 'nobody is locked out, all records kept', 'all');
});

async function signIn(url: string, body: typeof account): Promise<number> {
  const response = await fetch(url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
