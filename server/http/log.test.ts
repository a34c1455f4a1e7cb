import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

it('logs refusals and admin changes with their request, but no secret and no injected line', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-log-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, { LOG_LEVEL: 'info' });
  t.after(() => server.kill());
  const { client, fetch } = visitorAt(server.url, server.url);
  const account = { email: 'ana@exemplo.com.br', password: 'umaSenhaSecreta1' };
  await client.auth.signUp({ displayName: 'Ana', ...account });
  const linkToken = server.firstAdminPath().split('#')[1] ?? '';
  await client.auth.becomeFirstAdmin(linkToken);
  const other = visitorAt(server.url, server.url).client;
  const { user } = await other.auth.signUp({
    displayName: 'Rui',
    email: 'rui@exemplo.com.br',
    password: 'outraSenha99',
  });
  await client.documents.updateUser(user.uid, { staff: true });
  await assert.rejects(other.auth.signIn({ ...account, password: 'senhaErrada123' }));
  const response = await fetch(`${paths.documents.users}?search=%0d%0asegredoNaBusca&after=x`, {
    headers: { 'user-agent': 'navegador\tfalso' },
  });
  const { requestId } = (await response.json()) as { requestId: string };
  await server.stop();

  const printed = server.log();
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.ok(
    entries.some(
      ({ reqId, path: where, status }) =>
        reqId === requestId && where === '/api/documents/users' && status === 400,
    ),
  );
  assert.ok(entries.some(({ msg, code }) => msg === 'refused' && code === 'auth/invalid-credentials'));
  assert.ok(
    entries.some(
      ({ msg, uid, what }) => msg === 'user changed by admin' && uid === user.uid && what === 'staff',
    ),
  );
  assert.ok(entries.some(({ msg }) => msg === 'first admin'));

  const logged = lines.join('\n');
  const cookieParts = ['acolhe-session', 'acolhe-known', 'x-app-check'];
  const secrets = [
    'umaSenhaSecreta1',
    'senhaErrada123',
    'outraSenha99',
    linkToken,
    'segredoNaBusca',
    'exemplo.com.br',
  ];
  for (const secret of [...secrets, ...cookieParts]) assert.ok(!logged.includes(secret), secret);
});
