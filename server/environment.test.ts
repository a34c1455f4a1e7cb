import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readEnvironment, StartError } from './environment.ts';

describe('environment', () => {
  it('needs nothing', () => {
    assert.deepEqual(readEnvironment({}), {
      port: 3000,
      host: 'localhost',
      publicUrl: 'http://localhost:3000',
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      smtpUrl: undefined,
      mailFrom: 'nao-responda@localhost',
      trustedProxies: [],
      authSecret: undefined,
      requireVerifiedEmail: false,
      google: undefined,
      appCheckCost: 2000,
      logLevel: 'info',
    });
  });

  it('takes a published site’s values', () => {
    const { publicUrl, trustedProxies, databaseUrl } = readEnvironment({
      PUBLIC_URL: 'https://clinica.com.br/',
      TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2',
      DATABASE_URL: 'postgres://acolhe:s@db/acolhe',
    });
    assert.equal(publicUrl, 'https://clinica.com.br');
    assert.deepEqual(trustedProxies, ['10.0.0.1', '10.0.0.2']);
    assert.equal(databaseUrl, 'postgres://acolhe:s@db/acolhe');
  });

  const wrong: [name: string, value: string][] = [
    ['PORT', 'três mil'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'clinica.com.br'],
    ['PUBLIC_URL', 'https://clinica.com.br/site'],
    ['PUBLIC_URL', 'http://clinica.com.br'],
    ['PUBLIC_URL', 'ftp://clinica.com.br'],
    ['DATABASE_URL', 'mysql://acolhe:segredo@db/acolhe'],
    ['SMTP_URL', 'mail.clinica.com.br'],
    ['MAIL_FROM', 'ninguém'],
    ['MAIL_FROM', 'a@b.co\r\nBcc: c@d.co'],
    ['AUTH_SECRET', 'curto'],
    ['REQUIRE_VERIFIED_EMAIL', 'sim'],
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
});
