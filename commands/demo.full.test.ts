import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { listNames } from '#contract/axes.ts';
import { findFreePort } from '#server/testing/free-port.ts';

test('the demo has a clinic, the library and four accounts with the passwords it prints, and removes its data', async (t) => {
  const port = String(await findFreePort());
  const url = `http://localhost:${port}`;
  const demo = spawn(process.execPath, [join(import.meta.dirname, 'demo.ts')], {
    env: { PATH: process.env.PATH, PORT: port, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => demo.kill('SIGKILL'));
  const ended = once(demo, 'exit');

  const passwords = new Map<string, string>();
  let dataDir = '';
  let printed = '';
  for await (const line of createInterface(demo.stdout)) {
    printed += `${line}\n`;
    dataDir ||= /^Dados em (.+)$/.exec(line)?.[1] ?? '';
    const [, email, password] = /(\S+@\S+)\s+senha (\S+)$/.exec(line) ?? [];
    if (email !== undefined && password !== undefined) passwords.set(email, password);
    if (passwords.size === 4) break;
  }

  const members = [];
  for (const [email, password] of passwords) {
    const { auth, documents } = createClient({ auth: url, documents: url, fetch: createCookieFetch(url) });
    await auth.signIn({ email, password });
    const record = await documents.getUser((await auth.findSession())?.user.uid ?? '');
    members.push(record === false ? 'no record' : record.member);
  }
  assert.deepEqual(members, [false, true, 'editor', 'admin']);

  const { documents } = createClient({ documents: url });
  const lists = await Promise.all(listNames.map((name) => documents.getActivities(name)));
  assert.deepEqual(
    lists.map(({ activities }) => activities.length),
    [10, 6, 6, 8],
  );

  const home = await (await fetch(url)).text();
  assert.match(home, /Aurora Jatobá/);
  assert.match(home, /Demonstração: esta clínica não existe\./);
  for (const path of ['/', '/about', '/practices', '/privacidade', '/login']) {
    const html = await (await fetch(url + path)).text();
    assert.match(html, /CRM-MG 9999999/, path);
    assert.doesNotMatch(html, /Nome Sobrenome|exemplo\.com\.br/, path);
  }
  assert.match(printed, /Acolhe no ar em /);
  assert.doesNotMatch(printed, /Escreva os dados da clínica/);

  assert.ok(existsSync(dataDir));
  demo.kill('SIGTERM');
  await ended;
  assert.ok(!existsSync(dataDir));
});
