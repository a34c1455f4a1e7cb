import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { visitorAt } from '../testing/server.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { publishName, realIdentity, sectionOf, withFields } from '../testing/site-content.ts';

const kills = 4;
const pages = ['/', '/about', '/practices', '/privacidade', '/login', '/admin'];

it(`shows the old or the new version on every page, and loses no draft, when it is killed ${kills} times during publications`, async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-publications-'));
  let server = await startServerProcess(dataDir);
  t.after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { port } = server;
  const { client } = await firstAdmin(server);
  const { site } = client;
  let shown = { version: await publishName(client, 'Clínica 0'), name: 'Clínica 0' };
  /** The event loop turns of this process during a whole publication. */
  let turns = 0;

  for (let round = 0; round < kills; round += 1) {
    const name = `Outra ${round}`;
    await site.saveSection(
      withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName: name }),
    );
    const { tag } = await site.getDraft();
    let ended = false;
    const publishing = site
      .publish(tag, { warningsConfirmed: true })
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        ended = true;
      });
    if (round === 0) for (; !ended; turns += 1) await setImmediate();
    for (let left = Math.random() * turns; left > 0; left -= 1) await setImmediate();
    await server.kill();
    const acknowledged = await publishing;
    server = await startServerProcess(dataDir, { PORT: port });

    const draft = await site.getDraft();
    const identity = sectionOf(draft, 'identity');
    const isNew = draft.version === shown.version + 1;
    assert.ok(isNew || draft.version === shown.version);
    assert.ok(isNew || !acknowledged, 'an acknowledged publication is kept');
    if (isNew) shown = { version: draft.version, name };
    assert.deepEqual([identity.content.shortName, identity.changed], [name, !isNew]);
    for (const page of pages) {
      const html = await (await fetch(server.url + page)).text();
      assert.match(html, new RegExp(`"version":${shown.version},`), page);
      assert.match(html, new RegExp(`"shortName":"${shown.name}"`), page);
      if (page !== '/admin') assert.match(html, new RegExp(`<title>[^<]*${shown.name}</title>`), page);
    }
    assert.equal((await site.listVersions()).length, shown.version);
  }
  await server.stop();
});

async function firstAdmin({ url, firstAdminPath }: ServerProcess) {
  const user = visitorAt(url, url);
  await user.client.auth.signUp({ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' });
  await user.client.auth.becomeFirstAdmin(firstAdminPath().split('#')[1] ?? '');
  return user;
}
