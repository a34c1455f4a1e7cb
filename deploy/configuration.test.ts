import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readEnvironment } from '#server/environment.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { makeCertificate } from '#server/testing/peers/certificate.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const folder = import.meta.dirname;
const root = path.join(folder, '..');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const token = 'a token of the tests, which is long enough';
/** The key in the example of age's documentation. */
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

describe('the units of systemd', { skip: process.platform !== 'linux' && 'systemd is only on Linux' }, () => {
  it('are valid', async (t) => {
    const units = await temporaryFolder(t);
    for (const name of ['acolhe.service', 'acolhe.socket'])
      await writeFile(path.join(units, name), read(name).replaceAll('/opt/acolhe/current', root));
    const files = ['acolhe.socket', 'acolhe.service'].map((name) => path.join(units, name));
    // An unknown setting causes a warning, but exit code 0.
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    assert.doesNotMatch(stderr, /acolhe/);
  });

  it('leave the server few rights', () => {
    run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', `${folder}/acolhe.service`]);
  });

  it('start the program of npm start, and wait longer than the program needs to stop', () => {
    const unit = read('acolhe.service');
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const [, command] = /^ExecStart=\/opt\/acolhe\/current\/node_modules\/\.bin\/(.*)$/m.exec(unit) ?? [];
    assert.ok(scripts.start.endsWith(` exec env ${command}`));
    const longestDrain = 60;
    assert.doesNotThrow(() => readEnvironment({ DRAIN_SECONDS: String(longestDrain) }));
    assert.throws(() => readEnvironment({ DRAIN_SECONDS: String(longestDrain + 1) }));
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > longestDrain + 10);
  });

  it('have an example of settings that the server accepts, and that has no unknown name', () => {
    const settings = [...read('acolhe.env.example').matchAll(/^(# )?([A-Z][A-Z0-9_]+)=(.*)$/gm)];
    const known =
      readFileSync(path.join(root, '.env.example'), 'utf8') +
      readFileSync(path.join(root, 'docs/backup.md'), 'utf8');
    for (const [, , name = ''] of settings) assert.match(known, new RegExp(`\\b${name}\\b`), name);
    const active = settings.filter(([, comment]) => comment === undefined);
    const { publicUrl } = readEnvironment(
      Object.fromEntries(active.map(([, , name, value]) => [name, value])),
    );
    assert.equal(publicUrl, 'https://clinica.example.com.br');
  });
});

describe('acolhe.sh', () => {
  it('is a valid script that knows only commands of the project', () => {
    run('sh', ['-n', `${folder}/acolhe.sh`]);
    const names = /^commands='(.*)'$/m.exec(read('acolhe.sh'))?.[1]?.split(' ') ?? [];
    assert.ok(names.length >= 6);
    for (const name of names) assert.ok(existsSync(path.join(root, 'commands', `${name}.ts`)), name);
  });
});

describe('Caddyfile', () => {
  it('is valid and formatted', async (t) => {
    const home = await temporaryFolder(t);
    run('caddy', ['validate', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`], { HOME: home });
    assert.equal(run('caddy', ['fmt', `${folder}/Caddyfile`], { HOME: home }), read('Caddyfile'));
  });
});

describe('the configurations of HAProxy', () => {
  const [http, postgres] = ['haproxy.cfg', 'haproxy-postgres.cfg'].map((name) => path.join(folder, name));

  it('are valid with their defaults', () => {
    checkHaproxy(`${http}`);
    checkHaproxy(`${http}`, `${postgres}`);
  });

  it('are valid with TLS and behind another proxy, as their comments say', async (t) => {
    const certificate = await makeCertificate();
    t.after(certificate.remove);
    const own = await temporaryFolder(t);
    const pem = path.join(own, 'acolhe.pem');
    await writeFile(pem, Buffer.concat([certificate.key, certificate.cert]));
    for (const [wanted, lines] of [
      [/^ {2}# {3}(bind :443 ssl .*|http-request redirect .*)$/gm, 2],
      [/^ {2}# {3}(bind :80 accept-proxy)$/gm, 1],
    ] as const) {
      const given = read('haproxy.cfg');
      assert.equal([...given.matchAll(wanted)].length, lines);
      const file = path.join(own, 'haproxy.cfg');
      await writeFile(file, given.replaceAll(wanted, '  $1').replace('/etc/haproxy/acolhe.pem', pem));
      checkHaproxy(file);
    }
  });
});

describe('alerts and dashboard', () => {
  it('fire when they should, and not before', () => {
    const files = ['alerts.test.yml', 'alerts-over-days.test.yml'];
    run('promtool', ['test', 'rules', ...files.map((file) => `${folder}/${file}`)]);
    const tests = files.map(read).join('');
    const tested = [...tests.matchAll(/- name: (\w+)/g)].map(([, name]) => name);
    const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    assert.ok(alerts.length >= 15);
    assert.deepEqual(new Set(tested), new Set(alerts));
  });

  it('name sections of the handbook that exist, wait, and have a severity', () => {
    const alerts = read('alerts.yml').split('- alert: ').slice(1);
    for (const alert of alerts) {
      assert.match(alert, /^ +for: \d+[mh]$/m, alert);
      assert.match(alert, /severity: (?:page|ticket) /, alert);
      const [, page = '', section = ''] = /runbook: (docs\/operate\/[\w-]+\.md)#([\w-]+)$/m.exec(alert) ?? [];
      const headings = [...readFileSync(path.join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)];
      const anchors = headings.map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      assert.ok(anchors.includes(section), `${page}#${section}`);
    }
  });

  it('have dashboard panels with unique ids and known types, and expressions that Prometheus parses', async (t) => {
    const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { title, type } of panels) assert.ok(title !== '' && ['stat', 'timeseries'].includes(type));
    const rules = dashboardExpressions().map((expr, index) => ({ record: `panel_${index}`, expr }));
    assert.ok(rules.length > 15);
    const file = path.join(await temporaryFolder(t), 'rules.json');
    // promtool reads YAML, which includes JSON.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    run('promtool', ['check', 'rules', file]);
  });

  it('name only metrics and labels that the server exposes', async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startServerProcess(dataDir, {
      ...{ METRICS_TOKEN: token, PORT: String(await findFreePort()) },
      ...{ BACKUP_DIR: await temporaryFolder(t), BACKUP_RECIPIENT: recipient },
    });
    t.after(() => server.kill());
    await fetch(`${server.url}/about`);
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const exposed = await response.text();
    // Prometheus itself makes the metric `up`.
    const names = new Set(['up', ...[...exposed.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name)]);
    const alerts = [...read('alerts.yml').matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*))/g)];
    const expressions = [...alerts.map(([, long, short]) => long ?? short ?? ''), ...dashboardExpressions()];
    const used = expressions.flatMap(
      (one) => one.match(/\b(?:acolhe|http|nodejs|process)_\w+|\bup\b/g) ?? [],
    );
    assert.ok(new Set(used).size > 12);
    assert.deepEqual(
      used.filter((name) => !names.has(name)),
      [],
    );
    for (const label of ['route', 'status', 'le'])
      assert.match(exposed, new RegExp(`^http_request_duration_seconds_bucket\\{.*${label}="`, 'm'));
  });
});

type Panel = { id: number; title: string; type: string; targets: { expr: string }[] };

/** Returns the expressions of the dashboard, with a value for its variable. */
function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$instance', '.*')));
}

/** Fails on errors and warnings. Debian installs HAProxy in a folder that only root has on the PATH. */
function checkHaproxy(...files: string[]) {
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HAPROXY_USER: 'nobody', HAPROXY_GROUP: 'nogroup' };
  run('haproxy', ['-c', '-dW', ...files.flatMap((file) => ['-f', file])], env);
}

/** Runs a program, which must succeed. @returns its standard output */
function run(program: string, args: string[], env: Record<string, string> = {}): string {
  const result = spawnSync(program, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.equal(
    result.status,
    0,
    `${program} ${args.join(' ')}\n${result.error ?? ''}${result.stdout}${result.stderr}`,
  );
  return result.stdout;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const created = await mkdtemp(path.join(tmpdir(), 'acolhe-deploy-'));
  t.after(() => rm(created, { recursive: true, force: true }));
  return created;
}
