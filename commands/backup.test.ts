import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { isFullLevel } from '#server/testing/databases.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'acolhe-backup-'));
const keyFile = path.join(folder, 'chave.txt');
const places = { DATA_DIR: path.join(folder, 'data'), BACKUP_DIR: path.join(folder, 'backups') };
let recipient = '';
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

describe('npm run backup and npm run restore', () => {
  before(async () => {
    const server = await startServerProcess(places.DATA_DIR);
    await server.stop();
  });

  it('make a pair of keys, show it on a sheet, and require that the private key is typed back', async () => {
    const wrong = await run('backup', ['key'], { answer: () => 'AGE-SECRET-KEY-1ERRADA' });
    assert.equal(wrong.code, 1);
    assert.match(wrong.text, /não é a do papel/);
    assert.doesNotMatch(wrong.text, /BACKUP_RECIPIENT=/);
    const none = await run('backup', ['key'], { answer: () => '' });
    assert.equal(none.code, 1);

    let identity = '';
    const right = await run('backup', ['key'], {
      variables: { DIARY_KEY: 'uma chave dos diários para imprimir' },
      answer(sheet) {
        assert.match(sheet, /DIARY_KEY.*\n\n {4}uma chave dos diários para imprimir\n/);
        [identity = ''] = /AGE-SECRET-KEY-1[0-9A-Z]+/.exec(sheet) ?? [];
        // An operator who types the key from paper may use lower case, and spaces between groups.
        return identity.toLowerCase().replaceAll(/(.{10})/g, '$1 ');
      },
    });
    assert.equal(right.code, 0);
    recipient = /BACKUP_RECIPIENT=(age1\S+)/.exec(right.text)?.[1] ?? '';
    writeFileSync(keyFile, `${identity}\n`, { mode: 0o600 });
    assert.notEqual(recipient, '');
  });

  it('say what is missing, before anything else', async () => {
    for (const [variables, sentence] of [
      [{ BACKUP_DIR: '' }, /escreva BACKUP_DIR e BACKUP_RECIPIENT/],
      [{ BACKUP_RECIPIENT: '' }, /npm run backup -- key/],
      [{ DATA_DIR: `${folder}/nada` }, /comece antes o servidor/],
      [{ BACKUP_DIR: '/dev/null/backups' }, /não é uma pasta/],
      [{ BACKUP_DIR: '/nada/backups' }, /não existe/],
    ] as const) {
      const { code, text } = await run('backup', [], { variables });
      assert.equal(code, 1, JSON.stringify(variables));
      assert.match(text, sentence);
      assert.doesNotMatch(text, /\n\s+at /);
    }
    for (const args of [['agora'], ['list', '--at', '2026-11-23'], ['verify', '--new-place']])
      assert.match((await run('backup', args)).text, /^Escreva assim: npm run backup/m);
    const { text } = await run('restore', [places.BACKUP_DIR]);
    assert.match(text, /^Escreva assim: npm run restore/m);
  });

  it('are refused for another user than the one of the server', {
    skip: process.getuid?.() !== 0 && 'only root can be another user',
  }, async () => {
    chownSync(places.DATA_DIR, 65_534, 65_534);
    try {
      const { code, text } = await run('backup', []);
      assert.equal(code, 1);
      assert.match(text, /pertence a outro usuário \(65534\)\. Nada foi mudado/);
      assert.ok(!existsSync(places.BACKUP_DIR));
    } finally {
      chownSync(places.DATA_DIR, 0, 0);
    }
  });

  it('back up, list, verify, drill and restore', async () => {
    assert.match((await run('backup', ['list'])).text, /Ainda não há backups/);
    assert.match((await run('backup', ['verify'])).text, /Não há backup/);
    const made = await run('backup', []);
    assert.match(
      made.text,
      /^Backup feito: 0 contas, 0 práticas, 0 arquivos\. Foram gravados [\d,]+ kB em /m,
    );
    assert.match(
      (await run('backup', ['list'])).text,
      /^Backups em .*\n {2}\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d /,
    );
    assert.match((await run('backup', ['verify'])).text, /está inteiro: .* cada byte conferido/);

    const before = readdirSync(tmpdir());
    const drilledFrom = Date.now();
    const drill = await run('restore', [places.BACKUP_DIR, '--key', keyFile, '--drill']);
    assert.equal(drill.code, 0, drill.text);
    assert.match(drill.text, /^Ensaio feito em \d+ s, e a cópia temporária já foi apagada/m);
    assert.doesNotMatch(drill.text, /Comece o servidor/);
    const database = new DatabaseSync(path.join(places.DATA_DIR, 'acolhe.sqlite'));
    const takeDrill = () => {
      const { drilledAt } =
        database.prepare('select max("drilledAt") as "drilledAt" from "backupRuns"').get() ?? {};
      database.exec('update "backupRuns" set "drilledAt" = null');
      return Number(drilledAt);
    };
    assert.ok(takeDrill() >= drilledFrom, 'the drill is noted');
    const noted = await run('backup', ['drilled']);
    assert.match(noted.text, /^Anotado: o ensaio do backup de .* deu certo\.$/m);
    assert.ok(takeDrill() >= drilledFrom, 'a drill on another computer is noted, too');
    database.close();
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith('acolhe-ensaio-') && !before.includes(name)),
      [],
    );

    const target = { DATA_DIR: path.join(folder, 'restored') };
    const restored = await run('restore', [places.BACKUP_DIR, '--key', keyFile], { variables: target });
    assert.equal(restored.code, 0, restored.text);
    assert.match(restored.text, /Comece o servidor com npm start\.$/m);
    const again = await run('restore', [places.BACKUP_DIR, '--key', keyFile], { variables: places });
    assert.equal(again.code, 0, 'an installation without data is empty');
  });

  it('name a backup without its manifest, and restore it', async () => {
    const snapshots = path.join(places.BACKUP_DIR, 'snapshots');
    const newest = readdirSync(snapshots).sort().at(-1) ?? '';
    const manifest = path.join(snapshots, newest, 'manifest.jsonl');
    renameSync(manifest, `${folder}/manifest.jsonl`);
    try {
      assert.match((await run('backup', ['list'])).text, /incompleto: falta a lista das suas partes/);
      const { code, text } = await run('backup', ['verify']);
      assert.match(text, /[Hh]á um backup incompleto de \d\d\/\d\d\/\d{4}/);
      assert.equal(code, 1);
      const drill = await run('restore', [places.BACKUP_DIR, '--drill', '--key', keyFile]);
      assert.match(drill.text, /^Ensaio feito .* 0 contas/m);
    } finally {
      renameSync(`${folder}/manifest.jsonl`, manifest);
    }
  });

  // Only root can mount a small disk.
  if (isFullLevel)
    it('say that the disk of the backups is full, keep the earlier backup, and ask before another place', async (t) => {
      const disk = path.join(folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk]);
      t.after(() => execFileSync('umount', [disk]));
      const variables = { BACKUP_DIR: disk };
      assert.equal((await run('backup', [], { variables })).code, 0);
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(path.join(disk, 'other'), Buffer.alloc(bavail * bsize));
      const { code, text } = await run('backup', [], { variables });
      assert.equal(code, 1);
      assert.match(text, /está num disco cheio: abra espaço/);
      assert.match((await run('backup', ['verify'], { variables })).text, /está inteiro/);

      // The last backup is in `disk`, so the first folder now counts as a new place.
      const refused = await run('backup', []);
      assert.equal(refused.code, 1);
      assert.match(refused.text, /não está o lugar dos backups.*npm run backup -- --new-place\.$/m);
      assert.equal((await run('backup', ['--new-place'])).code, 0);
    });

  it('name a damaged part, and end with 1', async () => {
    const snapshots = path.join(places.BACKUP_DIR, 'snapshots');
    const [newest = ''] = readdirSync(snapshots).sort().reverse();
    const file = path.join(snapshots, newest, 'snapshot.age');
    const content = readFileSync(file);
    writeFileSync(file, content.subarray(0, -1));
    const { code, text } = await run('backup', ['verify']);
    assert.equal(code, 1);
    assert.match(
      text,
      /está danificado\. Faltam ou mudaram:\n\s+snapshots\/\S+\/snapshot\.age\nRode npm run backup: ele grava de novo/,
    );
    const target = { DATA_DIR: path.join(folder, 'other') };
    const refused = await run('restore', [places.BACKUP_DIR, '--key', keyFile], { variables: target });
    assert.equal(refused.code, 1);
    assert.match(refused.text, /está incompleto ou foi alterado: nada foi restaurado/);
    writeFileSync(file, content);
  });
});

/** Runs a command. @param answer gets the output so far when the command asks for input; returns the input */
async function run(
  command: 'backup' | 'restore',
  args: string[],
  { variables = {}, answer }: { variables?: Record<string, string>; answer?: (text: string) => string } = {},
): Promise<{ code: number | null; text: string }> {
  const child: ChildProcess = spawn(process.execPath, [`commands/${command}.ts`, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...places,
      BACKUP_RECIPIENT: recipient,
      ...variables,
    },
    stdio: [answer ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let asked = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
      if (!answer || asked || !text.includes('a partir do papel: ')) return;
      asked = true;
      child.stdin?.end(`${answer(text)}\n`);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}
