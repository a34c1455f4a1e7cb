import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createEmptyPostgres } from '#server/testing/databases.ts';
import { createSite, digestsOf, type Settings, validPlaces } from '#server/testing/moves.ts';

const root = path.join(import.meta.dirname, '../..');
const ctrlC = '\x03';

/**
 * Runs a command on its own terminal, and types `reply` after `question`.
 * @returns the exit code, what the terminal showed, and the arguments of all processes during the question
 */
async function onTerminal(
  command: string,
  variables: Record<string, string>,
  question: string,
  reply: string,
) {
  const line = `exec '${process.execPath}' commands/${command}`;
  // `script` gives the command a terminal. With `--return`, it exits with the command's exit code.
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let processes = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    if (processes || !shown.includes(question)) return;
    processes = argumentsOfProcesses();
    child.stdin.write(reply);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, shown, processes };
}

/** Returns the arguments of all processes, one process per line. */
function argumentsOfProcesses(): string {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      } catch {
        return ''; // The process has ended.
      }
    });
  return lines.join('\n');
}

describe('a question of a command on the terminal', () => {
  it('ends at Ctrl+C with a sentence and the usual exit code', async () => {
    const { code, shown } = await onTerminal('backup.ts key', {}, 'a partir do papel: ', ctrlC);
    assert.match(shown, /Parado\. Nenhuma chave vale: comece de novo\./);
    assert.doesNotMatch(shown, /BACKUP_RECIPIENT=/);
    assert.equal(code, 130);

    const variables = { DATA_DIR: path.join(root, 'nada') };
    const move = await onTerminal('move.ts --to-database -', variables, 'PostgreSQL novo: ', ctrlC);
    assert.match(move.shown, /Nada foi mudado/);
    assert.equal(move.code, 130);
  });

  it('keeps the URL of the new database out of the list of processes', async (t) => {
    const { settings } = await createSite(t, 'sqlite');
    const digests = await digestsOf(settings);
    const next: Settings = { ...settings, DATABASE_URL: await createEmptyPostgres() };
    const { code, shown, processes } = await onTerminal(
      'move.ts --to-database -',
      settings,
      'PostgreSQL novo: ',
      `  ${next.DATABASE_URL}\r`,
    );
    assert.equal(code, 0, shown);
    assert.match(processes, /commands\/move\.ts --to-database -$/m);
    assert.ok(!processes.includes(String(next.DATABASE_URL)), processes);
    assert.deepEqual(await validPlaces(settings, next), ['new']);
    assert.deepEqual(await digestsOf(next), digests);
  });

  it('is read from standard input when that is a file or a pipe', () => {
    const env = { PATH: process.env.PATH, DATA_DIR: path.join(root, 'nada') };
    for (const input of ['mysql://x/y\n', ''])
      assert.throws(
        () =>
          execFileSync(process.execPath, ['commands/move.ts', '--to-database', '-'], {
            cwd: root,
            env,
            input,
            stdio: 'pipe',
          }),
        (error: { status: number; stderr: Buffer }) =>
          error.status === 1 && /começa com postgres:\/\/\. Nada foi mudado/.test(error.stderr.toString()),
      );
  });
});
