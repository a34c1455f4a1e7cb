import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from './figures.ts';
import { temporaryFolder } from './machine.ts';

const starts = 15;
const rounds = 3;

it(`of ${starts} servers that start at once on one folder, one serves and the others say why not`, async (t) => {
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = await temporaryFolder(t);
    const started = await Promise.allSettled(
      Array.from({ length: starts }, () => startServerProcess(dataDir)),
    );
    const running = started.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    t.after(() => Promise.all(running.map((server) => server.kill())));
    const refusals = started.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    assert.equal(running.length, 1, refusals.join('\n'));
    for (const refusal of refusals) {
      assert.match(refusal, /ended with 1/);
      assert.doesNotMatch(refusal, /\n\s+at .*:\d+:\d+/, 'a sentence, not a stack trace');
    }
    const secret = () => readFileSync(path.join(dataDir, 'auth-secret'), 'utf8');
    const before = secret();
    const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
    const [first] = running;
    assert.ok(first);
    const ana = visitorAt(first.url, first.url);
    await ana.client.auth.signUp(account);
    await first.kill();

    const again = await startServerProcess(dataDir, { PORT: first.port });
    t.after(() => again.kill());
    assert.equal(secret(), before);
    assert.equal((await ana.fetch(paths.auth.sessions)).status, 200, 'the session is still valid');
    await assert.rejects(startServerProcess(dataDir), /ended with 1/);
    assert.equal((await ana.fetch(paths.auth.sessions)).status, 200);
  }
  report(`${starts} starts at once on one folder`, `${rounds} × one serves, one secret`, 'one');
});
