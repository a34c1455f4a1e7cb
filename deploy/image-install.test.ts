import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { until } from '#server/testing/until.ts';
import { cloneTwice } from './testing/clones.ts';
import { startMachine, whyNoMachine } from './testing/machine.ts';
import { run } from './testing/run.ts';

const root = join(import.meta.dirname, '..');
const site = 'clinica.example.com.br';

/** What the person who follows the page does in the editor. There is no internet to get a certificate from. */
const edits: Record<string, string> = {
  'nano /etc/acolhe/acolhe.env': `grep -q 'PUBLIC_URL=https://${site}' /etc/acolhe/acolhe.env`,
  'nano /etc/caddy/Caddyfile': `sed -i 's/^{.DOMAIN:${site}} {$/&\\ntls internal/' /etc/caddy/Caddyfile`,
};

describe('the first installation', { skip: whyNoMachine() }, () => {
  it('works on a bare Debian with the commands of docs/operate/install.md', async (t) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const release = await makeRelease(t);
    const machine = await startMachine(t, { [release]: '/opt/acolhe' });

    const page = await readFile(join(root, 'docs/operate/install.md'), 'utf8');
    const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    assert.equal(blocks.length, 6);
    let printed = '';
    for (const block of blocks) {
      const commands = block
        .replaceAll('0.2.0', version)
        .replaceAll(/^nano .*$/gm, (line) => edits[line] ?? line);
      printed = await machine.run(commands);
      if (commands.includes('journalctl')) assert.match(printed, /primeiro-acesso#/);
    }

    // Caddy makes the certificate after its start.
    await until(async () => (await get(machine, '/healthz').catch(() => undefined)) !== undefined);
    assert.deepEqual(await get(machine, '/readyz'), { status: 200, body: '{"ok":true}' });
    // A process under the same restrictions draws this picture.
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

/** Asks for pages on new connections for eight seconds. Prints what failed. */
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

type Inside = Pick<Awaited<ReturnType<typeof startMachine>>, 'runInside'>;

/** Asks Caddy, whose certificate authority only its own machine knows. */
async function get(machine: Inside, path: string): Promise<{ status: number; body: string }> {
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

/** Makes a release of the present files, and returns its folder. */
async function makeRelease(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acolhe-install-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const out = join(folder, 'out');
  await cloneTwice(join(folder, 'clone'), join(folder, 'another'));
  await run(process.execPath, ['commands/release.ts', '--out', out], { cwd: join(folder, 'clone') });
  return out;
}
