import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { readEnvironment } from '#server/environment.ts';

type Service = {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  privileged?: boolean;
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  env_file?: string;
  networks: Record<string, { ipv4_address?: string }>;
  restart?: string;
  stop_grace_period?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
  healthcheck?: { test: string[] };
  depends_on?: string[] | Record<string, { condition: string }>;
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const root = join(import.meta.dirname, '..');
/** The key in the example of age's documentation. */
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const files = ['compose.yaml', 'compose.several.yaml'];
const secret = 'a'.repeat(64);
const given: Record<string, string> = {
  DOMAIN: 'clinica.com.br',
  AUTH_SECRET: secret,
  DIARY_KEY: secret,
  POSTGRES_PASSWORD: secret,
  GARAGE_RPC_SECRET: secret,
  S3_ACCESS_KEY_ID: `GK${secret.slice(32)}`,
  S3_SECRET_ACCESS_KEY: secret,
  TLS_CERTIFICATE: '/etc/acolhe/acolhe.pem',
};
const placeholder = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

for (const file of files) {
  const { services, volumes } = readCompose(file);
  const instances = Object.entries(services).filter(([name]) => name.startsWith('acolhe'));
  const [[, proxy], ...otherProxies] = Object.entries(services).filter(([, { ports }]) => ports) as [
    [string, Service],
  ];

  test(`${file}: every variable has a default, or a sentence that tells the operator to set it`, () => {
    const found = [...read(file).matchAll(placeholder)];
    assert.ok(found.length > 5);
    for (const [all, name = '', kind, text = ''] of found) {
      assert.ok(kind !== undefined, all);
      if (kind === '?') assert.match(text, /^Escreva .*deploy\/\.env/, all);
      assert.equal(kind === '?', name in given, `${name} has no default exactly if a person must choose it`);
    }
  });

  test(`${file}: a service can write only to its volumes, and has limits`, () => {
    for (const [name, service] of Object.entries(services)) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.ok(
        (service.cap_add ?? []).every((one) => one === 'NET_BIND_SERVICE'),
        name,
      );
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.equal(service.privileged, undefined, name);
      assert.equal(service.restart, 'unless-stopped', name);
      assert.ok((service.pids_limit ?? 0) > 0, name);
      assert.match(service.logging?.options['max-size'] ?? '', /^\d+m$/, name);
      assert.match(service.image, /^(?:\$\{ACOLHE_IMAGE|acolhe$|.+:.*\d)/, `${name}: a version`);
      for (const volume of service.volumes ?? []) {
        const [source = '', , mode] = volume.split(':');
        assert.ok(mode === 'ro' || source in volumes, `${name}: ${volume}`);
      }
    }
  });

  test(`${file}: the server runs as the image's user, with its data in its own volume`, () => {
    const seen = new Set<string>();
    for (const [name, service] of instances) {
      assert.equal(service.user, '10001:10001', name);
      assert.equal(service.env_file, 'acolhe.env', name);
      const [volume = '', ...others] = service.volumes ?? [];
      assert.deepEqual(others, ['backups:/backups'], name);
      assert.match(volume, /^[\w-]+:\/data$/, name);
      assert.ok(!seen.has(volume), name);
      seen.add(volume);
    }
    assert.equal(instances.length, file === 'compose.yaml' ? 1 : 3);
  });

  test(`${file}: only the proxy is reachable, and the server trusts only the proxy's IP address`, () => {
    assert.deepEqual(otherProxies, []);
    const address = proxy.networks.site?.ipv4_address;
    assert.ok(address !== undefined);
    const targets = Object.values(proxy.environment ?? {}).filter((value) => value.endsWith(':3000'));
    for (const [name, service] of instances) {
      assert.equal(service.environment?.TRUSTED_PROXIES, address, name);
      assert.ok(targets.includes(`${service.networks.site?.ipv4_address}:3000`), name);
    }
    assert.equal(targets.length, instances.length);
  });

  test(`${file}: the server accepts its environment, and has time to stop`, () => {
    for (const [name, { environment = {}, stop_grace_period = '' }] of instances) {
      const settings = readEnvironment(environment);
      assert.deepEqual([settings.host, settings.port, settings.dataDir], ['0.0.0.0', 3000, '/data'], name);
      assert.equal(settings.publicUrl, 'https://clinica.com.br', name);
      const seconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
      // In compose.yaml the operator chooses DRAIN_SECONDS, at most 60.
      const drain = 'DRAIN_SECONDS' in environment ? settings.drainSeconds : 60;
      assert.ok(seconds > drain + 10, `${name}: ${stop_grace_period}`);
    }
  });
}

test('the instances of compose.several.yaml share the database, the bucket and the secret', () => {
  const { services } = readCompose('compose.several.yaml');
  const { garage, postgres, 'acolhe-a': first, 'acolhe-b': second, 'acolhe-c': third } = services;
  assert.deepEqual(second?.environment, first?.environment);
  assert.deepEqual(third?.environment, first?.environment);
  const { databaseUrl, s3, authSecret } = readEnvironment({ ...first?.environment });
  assert.equal(authSecret, secret);
  const { hostname, username, password, pathname } = new URL(databaseUrl ?? '');
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres?.environment ?? {};
  assert.deepEqual(
    [hostname, username, password, pathname],
    ['postgres', POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
  );
  assert.deepEqual(
    [s3?.bucket, s3?.accessKeyId, s3?.secretAccessKey],
    ['BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].map((name) => garage?.environment?.[`GARAGE_DEFAULT_${name}`]),
  );
  const [, region] = /^s3_region = "(.+)"$/m.exec(read('garage.toml')) ?? [];
  const [, port] = /^api_bind_addr = ".*:(\d+)"$/m.exec(read('garage.toml')) ?? [];
  assert.deepEqual([s3?.region, s3?.endpoint], [region, `http://garage:${port}`]);
  for (const store of ['postgres', 'garage']) {
    assert.ok(services[store]?.healthcheck, store);
    const waits = first?.depends_on as Record<string, { condition: string }>;
    assert.deepEqual(waits[store], { condition: 'service_healthy' });
  }
});

describe('docs/operate/containers.md', () => {
  const page = readFileSync(join(root, 'docs/operate/containers.md'), 'utf8');
  const commands = [...page.matchAll(/docker (?:compose|run|volume) [^`\n]*/g)].map(([command]) => command);

  test('names only files, services and volumes of Compose that exist', () => {
    assert.ok(commands.length > 20);
    for (const command of commands) {
      const [, file, task = '', rest = ''] = /compose -f deploy\/(\S+) (\S+) ?(.*)/.exec(command) ?? [];
      if (file === undefined) continue;
      assert.ok(files.includes(file), command);
      const { services } = readCompose(file);
      const named = rest.split(/ (?=node )/)[0]?.match(/(?<=^| )acolhe[\w-]*/g) ?? [];
      for (const service of named) assert.ok(service in services, command);
      if (['exec', 'run'].includes(task)) assert.equal(named.length, 1, command);
    }
    const { volumes } = readCompose('compose.yaml');
    const known = Object.values(volumes as Record<string, { name: string }>).map(({ name }) => name);
    for (const [volume] of page.matchAll(/(?<=[`\s])acolhe-(?:data|backups)\b(?=[`:\s])/g))
      assert.ok(known.includes(volume), volume);
  });

  test('runs only commands of the image, and while the server runs only those that allow it', () => {
    const left = new Set(read('Dockerfile.dockerignore').split('\n'));
    const stopped = ['commands/restore.ts', 'commands/move.ts', 'commands/import.ts'];
    for (const command of commands) {
      const program = /node (commands\/[\w-]+\.ts)/.exec(command)?.[1];
      if (program === undefined) continue;
      assert.ok(existsSync(join(root, program)) && !left.has(program), command);
      assert.equal(
        / (?:run|compose) .*\brun\b|docker run /.test(command),
        stopped.includes(program),
        command,
      );
    }
    for (const program of stopped) assert.ok(page.includes(`node ${program}`), program);
  });

  test('keeps backups in the volume, as the user of the image', () => {
    const [, settings = ''] = /```sh\n\s*(BACKUP_DIR=.*?)```/s.exec(page) ?? [];
    const given = settings.trim().split(/\s*\n\s*/);
    const environment = Object.fromEntries(given.map((line) => line.split('=')));
    const { backup } = readEnvironment({ ...environment, BACKUP_RECIPIENT: recipient, DATA_DIR: '/data' });
    assert.deepEqual(backup?.destination, { folder: '/backups' });
    const { user } = readCompose('compose.yaml').services.acolhe ?? {};
    assert.match(read('Dockerfile'), /install --directory --owner=10001 .* \/data \/backups$/m);
    for (const [, owner] of page.matchAll(/chown (?:-R )?(\S+) /g)) assert.equal(owner, user);
    for (const [, uid, gid] of page.matchAll(/-o (\d+) -g (\d+)/g)) assert.equal(`${uid}:${gid}`, user);
  });
});

/** Reads a file as Docker Compose does, with the variables above. */
function readCompose(file: string): Compose {
  const text = read(file).replace(
    placeholder,
    (_, name: string, _kind, fallback = '') => given[name] ?? fallback,
  );
  return parse(text, { merge: true });
}
