import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { until } from '#server/testing/until.ts';
import { cloneTwice } from './testing/clones.ts';
import { type Machine, startMachine, whyNoMachine } from './testing/machine.ts';
import { run } from './testing/run.ts';

const root = join(import.meta.dirname, '..');
const site = 'clinica.example.com.br';
const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };

/**
 * The edits that install.md asks for. Caddy must make its certificate itself, because there is no internet.
 */
const edits: Record<string, string> = {
  'nano /etc/acolhe/acolhe.env': `grep -q 'PUBLIC_URL=https://${site}' /etc/acolhe/acolhe.env`,
  'nano /etc/caddy/Caddyfile': `sed -i 's/^{.DOMAIN:${site}} {$/&\\ntls internal/' /etc/caddy/Caddyfile`,
};

/** Maps lines of backups.md that this test cannot run unchanged to commands that do the same here. */
const backupEdits: Record<string, string> = {
  // `script` runs the command in a terminal. The test types the key that the command prints.
  'acolhe backup key': `
    mkfifo /tmp/typed
    script --quiet --return --flush --command 'acolhe backup key' /tmp/sheet < /tmp/typed &
    exec 3> /tmp/typed
    until grep -q 'a partir do papel' /tmp/sheet; do sleep 0.1; done
    grep -ao 'AGE-SECRET-KEY-[0-9A-Z]*' /tmp/sheet | head -n 1 > /tmp/key
    cat /tmp/key >&3
    wait $!`,
  'mount /var/backups/acolhe': `
    echo 'tmpfs /var/backups/acolhe tmpfs nofail 0 0' >> /etc/fstab
    mount /var/backups/acolhe`,
  'BACKUP_DIR=/var/backups/acolhe': 'echo BACKUP_DIR=/var/backups/acolhe >> /etc/acolhe/acolhe.env',
  'BACKUP_RECIPIENT=age1…': `
    echo BACKUP_RECIPIENT=$(grep -ao 'age1[0-9a-z]*' /tmp/sheet | head -n 1) >> /etc/acolhe/acolhe.env`,
  'BACKUP_AT=03:30': 'echo BACKUP_AT=03:30 >> /etc/acolhe/acolhe.env',
  'npm run restore -- /path/to/backups --key key.txt --drill': `
    cd /opt/acolhe/current
    PATH=/opt/acolhe/node/node_modules/.bin:$PATH npm run restore -- /var/backups/acolhe --key /tmp/key --drill`,
  'cat > /run/acolhe-key': 'cat /tmp/key > /run/acolhe-key',
};

describe('the handbook', { skip: whyNoMachine() }, () => {
  it('installs the product on a bare Debian with the commands of docs/operate/install.md', async (t) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const release = await makeRelease(t);
    const machine = await startMachine(t, { [release]: '/opt/acolhe' });

    const blocks = await commandsOf('install.md');
    assert.equal(blocks.length, 6);
    let [printed, firstAdmin] = ['', ''];
    for (const block of blocks) {
      const commands = block
        .replaceAll('0.2.0', version)
        .replaceAll(/^nano .*$/gm, (line) => edits[line] ?? line);
      printed = await machine.run(commands);
      firstAdmin ||= /primeiro-acesso#(\S+)/.exec(printed)?.[1] ?? '';
    }
    assert.notEqual(firstAdmin, '');

    // Waits, because Caddy makes the certificate only after its start.
    await until(async () => (await get(machine, '/healthz').catch(() => undefined)) !== undefined);
    assert.deepEqual(await get(machine, '/readyz'), { status: 200, body: '{"ok":true}' });
    // The server draws this picture in a separate process, under the restrictions of the same systemd unit.
    const home = await get(machine, '/');
    const picture = new URL(/property="og:image" content="([^"]+)"/.exec(home.body)?.[1] ?? '').pathname;
    assert.equal((await get(machine, picture)).status, 200);

    await machine.run('systemctl reload caddy.service');
    await assert.rejects(
      machine.run('acolhe admin grant pessoa@exemplo.com.br 2>&1'),
      /pessoa@exemplo\.com\.br/,
    );
    const asking = machine.runInside(askWhileRestarting);
    await machine.run('systemctl restart acolhe.service; systemctl restart acolhe.service');
    assert.deepEqual(JSON.parse(await asking), []);

    await machine.runInside(`${visitor}
      await client.auth.signUp(${JSON.stringify(account)});
      await client.auth.becomeFirstAdmin('${firstAdmin}');`);
    await t.test('keeps its data with the commands of docs/operate/backups.md', () =>
      backUpAndRestore(machine),
    );

    await assert.rejects(
      machine.run(
        "sed -i 's/^PUBLIC_URL=.*/PUBLIC_URL=nada/' /etc/acolhe/acolhe.env; systemctl restart acolhe.service",
      ),
      /Job for acolhe\.service failed/,
    );
    assert.match(
      await machine.run('journalctl -u acolhe.service -o cat -n 20'),
      /PUBLIC_URL vale "nada": escreva/,
    );
  });
});

/** Makes backups, loses all data, and restores them. */
async function backUpAndRestore(machine: Machine) {
  const blocks = (await commandsOf('backups.md')).map((block) =>
    block
      .split('\n')
      .map((line) => backupEdits[line.replace(/ +#.*/, '')] ?? line)
      .join('\n'),
  );
  const [makeKey = '', mount = '', settings = '', backUp = '', drill = '', ...restore] = blocks;
  assert.equal(restore.length, 2);
  for (const commands of [makeKey, mount, settings]) await machine.run(commands);
  const backedUp = await machine.run(backUp);
  assert.match(backedUp, /Backup feito: 1 contas/);
  assert.match(backedUp, /cada byte conferido/);
  assert.match(await machine.run(drill), /1 contas/);

  await machine.run(`systemctl stop acolhe.socket acolhe.service; mv /var/lib/acolhe /var/lib/lost
    install -d -o acolhe -g acolhe -m 0700 /var/lib/acolhe`);
  for (const commands of restore) await machine.run(commands);
  await assert.rejects(machine.run('ls /run/acolhe-key'));
  // Checks that the restored user is an admin, because only an admin may read the draft.
  await machine.runInside(`${visitor}
    const { email, password } = ${JSON.stringify(account)};
    await client.auth.signIn({ email, password });
    await client.site.getDraft();`);
}

/** Returns the blocks of commands on a page of the handbook. */
async function commandsOf(name: string): Promise<string[]> {
  const page = await readFile(join(root, 'docs/operate', name), 'utf8');
  return [...page.matchAll(/^( *)```sh\n(.*?)```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** The beginning of a program that uses the site like a browser. */
const visitor = `
  import { visitorAt } from '${root}/server/testing/server.ts';
  const { client } = visitorAt('http://127.0.0.1:3000', 'https://${site}');
`;

/** Requests a page on new connections for eight seconds. Prints what failed. */
const askWhileRestarting = `
const failures = [];
const end = Date.now() + 8_000;
while (Date.now() < end)
  await fetch('http://127.0.0.1:3000/about', { headers: { connection: 'close' } }).then(
    async (response) => (await response.text(), response.status === 200 || failures.push(response.status)),
    (error) => failures.push(String(error.cause ?? error)),
  );
console.log(JSON.stringify(failures));
`;

/** Requests a page from Caddy, whose certificate authority is unknown here. */
async function get(machine: Machine, path: string): Promise<{ status: number; body: string }> {
  const options = {
    host: '127.0.0.1',
    servername: site,
    headers: { host: site },
    rejectUnauthorized: false,
    path,
  };
  const printed = await machine.runInside(`
    import { get } from 'node:https';
    import { text } from 'node:stream/consumers';
    get(${JSON.stringify(options)}, async (response) =>
      console.log(JSON.stringify({ status: response.statusCode, body: await text(response) })));
  `);
  return JSON.parse(printed);
}

/** Makes a release of the current files, and returns its folder. */
async function makeRelease(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acolhe-install-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const out = join(folder, 'out');
  await cloneTwice(join(folder, 'clone'), join(folder, 'another'));
  await run(process.execPath, ['commands/release.ts', '--out', out], { cwd: join(folder, 'clone') });
  return out;
}
