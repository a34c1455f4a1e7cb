import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { readEnvironment, StartError } from './environment.ts';

describe('environment', () => {
  it('has defaults for all variables', () => {
    assert.deepEqual(readEnvironment({}), {
      port: 3000,
      host: 'localhost',
      listenFd: undefined,
      notifySocket: undefined,
      publicUrl: 'http://localhost:3000',
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      databasePool: 10,
      drainSeconds: 1,
      s3: undefined,
      backup: undefined,
      diaryKey: undefined,
      nextDiaryKey: undefined,
      fileLimits: {
        accountQuotaBytes: 50_000_000,
        imageBytes: 20_000_000,
        audioBytes: 500_000_000,
        profilePictureBytes: 5_000_000,
        quotaBytes: Number.POSITIVE_INFINITY,
      },
      smtpUrl: undefined,
      mailFrom: 'nao-responda@localhost',
      reminderFromName: 'Lembrete',
      removesServiceWorker: false,
      trustedProxies: [],
      authSecret: undefined,
      requireVerifiedEmail: false,
      google: undefined,
      appCheckCost: 2000,
      logLevel: 'info',
      metricsToken: undefined,
    });
  });

  it('accepts the values of a published site', () => {
    const { publicUrl, trustedProxies, databaseUrl } = readEnvironment({
      PUBLIC_URL: 'https://clinica.com.br/',
      TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2',
      DATABASE_URL: 'postgres://acolhe:s@db/acolhe',
    });
    assert.equal(publicUrl, 'https://clinica.com.br');
    assert.deepEqual(trustedProxies, ['10.0.0.1', '10.0.0.2']);
    assert.equal(databaseUrl, 'postgres://acolhe:s@db/acolhe');
  });

  it('does not start a published site without the IP address of its proxy, and names the variable', () => {
    const published = { PUBLIC_URL: 'https://clinica.com.br' };
    for (const TRUSTED_PROXIES of [undefined, '', ' , ']) {
      assert.throws(
        () => readEnvironment({ ...published, TRUSTED_PROXIES }),
        (error) =>
          error instanceof StartError &&
          error.message.includes('https://clinica.com.br') &&
          error.message.includes('TRUSTED_PROXIES=127.0.0.1'),
      );
    }
    assert.deepEqual(readEnvironment({ PUBLIC_URL: 'https://localhost:8443' }).trustedProxies, []);
  });

  it('accepts IP addresses, networks and the names of networks as proxies', () => {
    const TRUSTED_PROXIES = 'loopback, uniquelocal linklocal,10.1.2.3,10.0.0.0/8,::1,fd00::/8';
    const { trustedProxies } = readEnvironment({ TRUSTED_PROXIES });
    assert.deepEqual(trustedProxies, TRUSTED_PROXIES.split(/[\s,]+/));
    fastify({ trustProxy: trustedProxies });
  });

  it('requires verified email addresses on a published site with mail by default', () => {
    const required = (environment: Record<string, string>) =>
      readEnvironment(environment).requireVerifiedEmail;
    const published = { PUBLIC_URL: 'https://clinica.com.br', TRUSTED_PROXIES: 'loopback' };
    const mail = { SMTP_URL: 'smtps://mail.clinica.com.br' };
    assert.equal(required({ ...published, ...mail }), true);
    assert.equal(required({ ...published, ...mail, REQUIRE_VERIFIED_EMAIL: 'false' }), false);
    assert.equal(required(published), false);
    assert.equal(required(mail), false);
    assert.equal(required({ ...mail, REQUIRE_VERIFIED_EMAIL: 'true' }), true);
  });

  const wrong: [name: string, value: string][] = [
    ['PORT', 'três mil'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'clinica.com.br'],
    ['PUBLIC_URL', 'https://clinica.com.br/site'],
    ['PUBLIC_URL', 'http://clinica.com.br'],
    ['PUBLIC_URL', 'ftp://clinica.com.br'],
    ['DATABASE_URL', 'mysql://acolhe:segredo@db/acolhe'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_POOL', 'dez'],
    ['S3_ENDPOINT', 's3.clinica.com.br'],
    ['MAX_AUDIO_MB', 'muito'],
    ['FILES_QUOTA_MB', '0'],
    ['SMTP_URL', 'mail.clinica.com.br'],
    ['MAIL_FROM', 'ninguém'],
    ['MAIL_FROM', 'a@b.co\r\nBcc: c@d.co'],
    ['AUTH_SECRET', 'curto'],
    ['METRICS_TOKEN', 'curto'],
    ['REQUIRE_VERIFIED_EMAIL', 'sim'],
    ['SERVICE_WORKER', 'sim'],
    ['TRUSTED_PROXIES', 'proxy.clinica.com.br'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.1, 300.0.0.1'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', 'fd00::/129'],
    ['TRUSTED_PROXIES', 'fe80::1%eth0'],
    ['APP_CHECK_COST', '0'],
    ['LOG_LEVEL', 'alto'],
  ];
  for (const [name, value] of wrong) {
    it(`stops at ${name}=${JSON.stringify(value)} with one sentence that names it and repeats no secret`, () => {
      assert.throws(
        () => readEnvironment({ [name]: value }),
        (error) =>
          error instanceof StartError && error.message.includes(name) && !error.message.includes('segredo'),
      );
    });
  }

  it('requires all S3 variables or none, and names the missing ones', () => {
    const all = {
      S3_ENDPOINT: 'https://s3.sa-east-1.amazonaws.com',
      S3_BUCKET: 'acolhe-arquivos',
      S3_ACCESS_KEY_ID: 'quem',
      S3_SECRET_ACCESS_KEY: 'segredo',
    };
    assert.equal(readEnvironment(all).s3?.region, 'us-east-1');
    for (const name of Object.keys(all)) {
      assert.throws(
        () => readEnvironment({ ...all, [name]: '' }),
        (error) => error instanceof StartError && error.message.includes(`falta ${name}:`),
      );
    }
    assert.throws(() => readEnvironment({ ...all, S3_BUCKET: '../outro' }), /S3_BUCKET/);
  });

  it('reads where backups go, for whom, when and for how long', () => {
    const BACKUP_RECIPIENT = `age1${'q'.repeat(58)}`;
    const folder = { BACKUP_DIR: '/backups', BACKUP_RECIPIENT };
    assert.deepEqual(readEnvironment(folder).backup, {
      destination: { folder: '/backups' },
      recipients: [BACKUP_RECIPIENT],
      atMinute: undefined,
      days: 35,
    });
    const timed = readEnvironment({ ...folder, BACKUP_AT: '03:30', BACKUP_DAYS: '90' }).backup;
    assert.deepEqual([timed?.atMinute, timed?.days], [210, 90]);
    const bucket = {
      BACKUP_S3_ENDPOINT: 'https://s3.exemplo.com.br',
      BACKUP_S3_BUCKET: 'backups',
      BACKUP_S3_ACCESS_KEY_ID: 'a',
      BACKUP_S3_SECRET_ACCESS_KEY: 'b',
    };
    const place = readEnvironment({ ...bucket, BACKUP_RECIPIENT }).backup?.destination;
    assert.ok(place && 's3' in place && place.s3.bucket === 'backups');
    for (const [variables, sentence] of [
      [{ ...bucket, ...folder }, /escolha um lugar/],
      [{ BACKUP_AT: '03:30' }, /falta o lugar/],
      [{ ...folder, BACKUP_RECIPIENT: '' }, /npm run backup -- key/],
      [{ ...folder, BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1SEGREDO' }, /^(?!.*SEGREDO).*chaves públicas/],
      [{ ...folder, BACKUP_RECIPIENT: [1, 2, 3].map(() => BACKUP_RECIPIENT).join() }, /uma ou duas/],
      [{ ...folder, DATA_DIR: '/backups/data' }, /dentro da outra/],
      [{ ...folder, DATA_DIR: '/', BACKUP_DIR: '/backups' }, /dentro da outra/],
      [{ ...folder, DATA_DIR: '/backups' }, /dentro da outra/],
      [{ ...folder, BACKUP_AT: '25:00' }, /BACKUP_AT=03:30/],
      [{ ...folder, BACKUP_DAYS: '0' }, /BACKUP_DAYS=35/],
      [{ ...folder, BACKUP_DAYS: '1' }, /no mínimo 2/],
      [{ ...folder, BACKUP_DAYS: '91' }, /no máximo 90/],
    ] as const)
      assert.throws(() => readEnvironment(variables), { name: 'StartError', message: sentence });
  });
});
