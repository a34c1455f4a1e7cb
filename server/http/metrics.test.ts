import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { findFreePort } from '../testing/free-port.ts';
import { startNetwork } from '../testing/peers/network.ts';
import { s3Environment } from '../testing/peers/swift.ts';
import { startTestServer } from '../testing/server.ts';

const token = 'a token of the tests, which is long enough';
const withToken = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

describe('metrics', () => {
  it('counts requests by route and reports the free disk space, but no user', async (t) => {
    const { visitor, join } = await startTestServer(t, 'sqlite', { environment: { METRICS_TOKEN: token } });
    const patient = await join('no', 'Ana Lúcia');
    for (let times = 0; times < 3; times += 1)
      await visitor.fetch(`${paths.documents.activities('mindActsList')}?segredo=1`);
    const other = await join('no', 'Rui');
    await patient.fetch(`${paths.documents.users}/${other.uid}`);
    await visitor.fetch('/nada/aqui');

    const response = await visitor.fetch('/metrics', withToken(token));
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const text = await response.text();
    const figureOf = (name: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1);
    const counted = (labels: string) => figureOf(`http_request_duration_seconds_count{${labels}}`);
    const list = '/api/documents/activities/:list';
    assert.equal(counted(`method="GET",route="${list}",status="200"`), '3');
    assert.equal(counted('method="GET",route="/api/documents/users/:uid",status="403"'), '1');
    assert.equal(counted('method="GET",route="none",status="404"'), '1');
    assert.equal(
      figureOf(`http_request_duration_seconds_bucket{le="+Inf",method="GET",route="${list}",status="200"}`),
      '3',
    );
    assert.ok(Number(figureOf('acolhe_data_free_bytes')) > 0);
    assert.equal(figureOf('acolhe_usage_records_lost'), '0');
    assert.equal(figureOf('acolhe_ready'), '1');
    assert.ok(Number(figureOf('process_resident_memory_bytes')) > 0);
    for (const secret of [patient.uid, other.uid, patient.email, 'segredo', 'nada'])
      assert.ok(!text.includes(secret));
  });

  it('works without the data folder; its free space is then NaN', async (t) => {
    const { visitor, dataDir } = await startTestServer(t, 'sqlite', {
      environment: { METRICS_TOKEN: token },
    });
    await rename(dataDir, `${dataDir}-away`);
    try {
      const response = await visitor.fetch('/metrics', withToken(token));
      assert.equal(response.status, 200);
      const text = await response.text();
      assert.match(text, /^acolhe_data_free_bytes Nan$/m);
      assert.match(text, /^acolhe_ready 0$/m);
    } finally {
      await rename(`${dataDir}-away`, dataDir);
    }
  });

  it('counts the mails that cannot be sent', async (t) => {
    const { visitor, app, join } = await startTestServer(t, 'sqlite', {
      environment: { METRICS_TOKEN: token, SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` },
    });
    const failures = async () =>
      /^acolhe_mail_failures (.*)$/m.exec(
        await (await visitor.fetch('/metrics', withToken(token))).text(),
      )?.[1];
    assert.equal(await failures(), '0');
    const { email } = await join();
    await visitor.client.auth.requestPasswordReset(email);
    await app.afterResponse.idle();
    assert.equal(await failures(), '1');
  });

  it('reports whether the file store responds, without waiting for one that hangs', async (t) => {
    const network = await startNetwork(t, 1);
    const s3 = { bucket: 'arquivos', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
    const endpoint = `http://127.0.0.1:${network.port}`;
    network.set('swallow');
    const up = async (environment: Record<string, string>) => {
      const { visitor } = await startTestServer(t, 'sqlite', {
        environment: { METRICS_TOKEN: token, ...environment },
      });
      // Warms up the server, so that the reads overlap.
      assert.equal((await visitor.fetch('/healthz')).status, 200);
      const read = async () => (await visitor.fetch('/metrics', withToken(token))).text();
      const texts = await Promise.all(Array.from({ length: 6 }, read));
      return texts.map((text) => /^acolhe_file_store_up (.*)$/m.exec(text)?.[1]);
    };
    assert.deepEqual(await up({}), Array(6).fill('1'));
    const begun = performance.now();
    assert.deepEqual(await up(s3Environment({ ...s3, endpoint })), Array(6).fill('0'));
    assert.ok(performance.now() - begun < 8_000);
    // The reads share one check, which may try more than one connection.
    assert.ok(network.taken() < 6, `${network.taken()} connections`);
  });

  it('is only for callers with the token', async (t) => {
    const { visitor, join } = await startTestServer(t, 'sqlite', { environment: { METRICS_TOKEN: token } });
    const admin = await join('admin');
    assert.equal((await visitor.fetch('/metrics')).status, 401);
    assert.equal((await admin.fetch('/metrics')).status, 401);
    for (const wrong of ['', 'x', `${token}x`, token.slice(1)])
      assert.equal((await visitor.fetch('/metrics', withToken(wrong))).status, 401);
    assert.equal((await visitor.fetch('/metrics', withToken(token))).status, 200);
  });

  it('does not exist without a token', async (t) => {
    const { visitor } = await startTestServer(t, 'sqlite');
    assert.equal((await visitor.fetch('/metrics')).status, 404);
    assert.equal((await visitor.fetch('/metrics', withToken('undefined'))).status, 404);
    assert.equal((await visitor.fetch('/metrics', withToken(''))).status, 404);
  });
});
