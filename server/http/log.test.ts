import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { temporaryFolder } from '#server/testing/moves.ts';
import { distDir } from '../site/built-site.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { errorInLog, readableLine, withSources } from './log.ts';

it('logs refusals and admin changes with their request, but no secret and no injected line', async (t) => {
  const dataDir = await temporaryFolder(t);
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
  assert.ok(entries.some(({ status, code }) => status === 401 && code === 'auth/invalid-credentials'));
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

it('only counts refusals that one IP address repeats, and keeps security events apart from them', async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServerProcess(dataDir, { LOG_LEVEL: 'info', TRUSTED_PROXIES: 'loopback' });
  t.after(() => server.kill());
  const { client } = visitorAt(server.url, server.url);
  await client.auth.signUp({ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'umaSenhaSecreta1' });
  await client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  const refuse = (address: string) =>
    fetch(server.url + paths.documents.users, { headers: { 'x-forwarded-for': address } });
  for (let count = 0; count < 300; count += 1)
    assert.equal((await refuse(`2001:db8:1:2::${count.toString(16)}`)).status, 401);
  assert.equal((await refuse('203.0.113.7')).status, 401);
  await server.stop();

  const read = async (name: string) => {
    const folder = path.join(dataDir, name);
    const [file = ''] = await readdir(folder);
    const lines = (await readFile(path.join(folder, file), 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const ofFlood = ({ ip }: Record<string, unknown>) => String(ip).startsWith('2001:db8:1:2:');
  const logged = server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(logged.filter(ofFlood).length, 20);
  assert.ok(logged.some(({ times, most }) => times === 280 && most === '2001:db8:1:2::/64'));
  const records = (await read('usage-records')).filter(ofFlood);
  assert.equal(records.length, 21);
  assert.deepEqual([records.at(-1)?.ip, records.at(-1)?.times], ['2001:db8:1:2::/64', 280]);
  const events = await read('security-events');
  assert.equal(events.filter(({ event }) => event === 'refused').length, 21);
  assert.ok(events.some(({ event, uid }) => event === 'first admin' && typeof uid === 'string'));
  assert.ok(events.some(({ ip, code }) => ip === '203.0.113.7' && code === 'auth/unauthenticated'));
  assert.ok(!JSON.stringify(events).includes('exemplo.com.br'));
});

it('names the lines of the sources in the stack trace of an error in the bundled server', async () => {
  const file = path.join(distDir, 'server/main.js');
  const code = await readFile(file, 'utf8');
  const line = code.slice(0, code.indexOf('function readableLine(')).split('\n').length;
  const stack = withSources(`Error: x\n    at readableLine (file://${file}:${line}:10)`);
  const source = path.join(import.meta.dirname, 'log.ts');
  const [, found] = new RegExp(`at readableLine \\(${source}:(\\d+):\\d+\\)$`).exec(stack) ?? [];
  const text = (await readFile(source, 'utf8')).split('\n')[Number(found) - 1] ?? '';
  assert.match(text, /function readableLine/, stack);
});

it('writes lines for a person if the output is a terminal', () => {
  const time = new Date(2026, 10, 26, 9, 5, 7).getTime();
  const line = JSON.stringify({
    ...{ level: 50, time, pid: 1, hostname: 'a', reqId: 'r-1', ip: '127.0.0.1' },
    ...{ err: errorInLog(new Error('x', { cause: new Error('y') })), msg: 'server/unknown' },
  });
  const [first, second, ...rest] = readableLine(line).split('\n');
  assert.equal(first, '09:05:07 erro: server/unknown reqId=r-1 ip=127.0.0.1');
  assert.equal(second, 'Error: x');
  assert.ok(rest.includes('caused by: Error: y'));
});

it('writes no control characters to a terminal, because a stranger may have sent them', () => {
  const error = new Error('\u001b]0;título\u0007\r\u009b31m');
  const line = JSON.stringify({
    level: 50,
    time: 0,
    msg: '\u001b[2J\n',
    ip: '\u202e',
    err: errorInLog(error),
  });
  assert.doesNotMatch(readableLine(line).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.match(readableLine(line), /^\S+ erro: \?\[2J\? ip=\?\nError: \?\]0;título/);
});

it('logs no error for requests whose client has reset the connection', async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(server.port), 'localhost');
    socket.on('error', () => {});
    // The server reads the request, but Node no longer knows the address of the client.
    socket.write('GET /practices?q=ar HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  await server.stop();
  assert.doesNotMatch(server.log(), /TypeError/);
});
