import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { startTestServer } from '#server/testing/server.ts';
import { mp3 } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';
import { account, bucket, content, smallProject, userRecord } from './testing/fixture.ts';
import { type ScriptedGoogle, startGoogle } from './testing/google.ts';
import { importFrom, withoutProgress } from './testing/run.ts';

const program = path.join(import.meta.dirname, '..', 'firebase-export.mjs');

async function start(
  t: TestContext,
  change: (project: Awaited<ReturnType<typeof smallProject>>) => void = () => {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-export-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const project = await smallProject();
  change(project);
  const google = await startGoogle(t, project, folder);
  return { project, google, out: path.join(folder, 'exportado') };
}

function launch(google: ScriptedGoogle, out: string, ...more: string[]) {
  const child = spawn(
    process.execPath,
    [program, '--service-account', google.keyFile, '--out', out, ...more],
    {
      env: { PATH: process.env.PATH, ...google.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]).then(([printed, errors, [code]]) => ({ code, output: withoutProgress(printed + errors) }));
  return { child, ended };
}

const run = async (...given: Parameters<typeof launch>) => launch(...given).ended;

describe('commands/firebase-export.mjs', () => {
  it('exports all pages of accounts, documents and files into files that only this user can read and the import accepts', async (t) => {
    const { project, google, out } = await start(t, ({ accounts, documents }) => {
      for (let index = 0; index < 5; index += 1) {
        accounts.push(account(`mais${index}`));
        documents.push(userRecord(`mais${index}`));
      }
      accounts.push(
        account('outra', { version: 3, providerUserInfo: [{ providerId: 'phone', rawId: '1' }] }),
      );
    });
    const { code, output } = await run(google, out);
    assert.equal(code, 0, output);
    assert.equal(
      output,
      `Pronto: ${project.accounts.length} contas, ${project.documents.length} documentos e 4 arquivos estão em ${out}. A pasta contém dados de saúde e senhas cifradas: guarde-a só até a importação.`,
    );
    const accounts = await readFile(path.join(out, 'accounts.json'), 'utf8');
    assert.match(accounts, /^\{"users": \[\n\{\n {2}"localId": "ana",\n {2}"email": /);
    const { users } = JSON.parse(accounts) as { users: Record<string, unknown>[] };
    assert.deepEqual(users[0], project.accounts[0], 'like the official tool writes it');
    assert.deepEqual(users.at(-1)?.providerUserInfo, []);
    for (const name of await readdir(out, { recursive: true })) {
      const { mode } = await stat(path.join(out, name));
      assert.equal(mode & 0o077, 0, name);
    }
    assert.deepEqual((await readdir(out)).sort(), [
      'accounts.json',
      'documents.ndjson',
      'export.json',
      'files',
      'files.ndjson',
      'hash-config.json',
    ]);
    assert.equal(google.tokens, 1);

    const server = await startTestServer(t, 'sqlite');
    await importFrom(server, out);
    await server.visitor.client.auth.signIn({ email: 'ana@exemplo.com.br', password: 'senhaDaAna1' });
  });

  it('retries after temporary refusals, a lost connection, an expired token and a truncated download', async (t) => {
    const { google, out } = await start(t);
    google.faults.push(
      { of: 'batchGet', fail: 'status 429' },
      { of: 'batchGet', fail: 'status 503' },
      { of: 'documents/users', fail: 'status 401' },
      { of: 'documents/wordMood', fail: 'drop' },
      { of: 'alt=media', fail: 'cut' },
      { of: 'alt=media', fail: 'other bytes' },
      { of: 'som1', fail: 'status 503' },
    );
    const { code, output } = await run(google, out);
    assert.equal(code, 0, output);
    assert.deepEqual(google.faults, []);
    assert.equal(google.tokens, 2);
    const server = await startTestServer(t, 'sqlite');
    await importFrom(server, out, { isDryRun: true });
  });

  it('leaves a folder that no import accepts when Ctrl+C stops it, and continues in the next run', async (t) => {
    const { google, out } = await start(t, ({ contents }) => {
      for (let index = 0; index < 60; index += 1)
        contents.push(content(`postAudios/mind/parte${index}`, mp3(400_000, index), 'audio/mpeg'));
    });
    const { child, ended } = launch(google, out);
    const downloads = () => google.requests.filter((url) => url.includes('alt=media'));
    await until(async () => downloads().length > 5 || child.exitCode !== null);
    child.kill('SIGINT');
    const { code, output } = await ended;
    assert.equal(code, 130);
    assert.equal(
      output,
      'A exportação foi interrompida. Rode o mesmo comando para continuar: o que já veio não é baixado de novo.',
    );
    const server = await startTestServer(t, 'sqlite');
    await assert.rejects(importFrom(server, out), { name: 'StartError' });
    const whole = (await readdir(path.join(out, 'files'))).filter((name) => !name.endsWith('.part')).length;
    assert.ok(whole >= 4 && whole < 64, `${whole}`);
    google.requests.length = 0;
    assert.equal((await run(google, out)).code, 0);
    assert.equal(downloads().length, 64 - whole);
  });

  it('ends with one sentence when it cannot go on', async (t) => {
    const { google, out } = await start(t, ({ accounts }) => {
      accounts.push(account('oculta', { passwordHash: 'UkVEQUNURUQ=' }));
    });
    const redacted = await run(google, out);
    assert.equal(redacted.code, 1);
    assert.match(
      redacted.output,
      /^O Google escondeu as senhas \(REDACTED\): .*papel “Firebase Authentication Admin”.*$/,
    );
    assert.equal(existsSync(path.join(out, 'accounts.json')), false);
    google.faults.push({ of: 'config', fail: 'status 403' });
    const denied = await run(google, out);
    assert.match(denied.output, /^A conta de serviço export@clinica-antiga\S+ não tem permissão: .*$/);
    await writeFile(google.keyFile, '{"type":"authorized_user"}');
    const wrongKey = await run(google, out);
    assert.match(wrongKey.output, /não é a chave de uma conta de serviço: falta project_id\.$/);
    for (const { output } of [redacted, denied, wrongKey]) assert.doesNotMatch(output, /\n/);
  });

  it('says that a named bucket does not exist, and finds a default bucket with the newer name', async (t) => {
    const { google, out } = await start(t, ({ contents, id }) => {
      for (const one of contents) one.bucket = `${id}.firebasestorage.app`;
    });
    assert.match(
      (await run(google, out, '--bucket', bucket)).output,
      /O bucket clinica-antiga\.appspot\.com não existe/,
    );
    assert.equal((await run(google, out)).code, 0);
    const server = await startTestServer(t, 'sqlite');
    // URLs can have the old name of the bucket.
    await importFrom(server, out, { isDryRun: true });
  });
});
