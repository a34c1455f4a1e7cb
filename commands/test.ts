/**
 * `npm test` checks types and lint, and runs the tests of every folder, then the browser tests.
 * `npm run test:unit`, `test:server` and `test:e2e` run one part, or the files that they are given. Every
 * step runs, even after a failure. The last line has the totals. The exit code is 0 only if nothing failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { prepareTestMachine } from '#checks/test-machine.ts';
import { startPostgres } from '#server/testing/postgres.ts';

type Count = { name: string; passed: number; failed: number; skipped: number };

const root = join(import.meta.dirname, '..');
const testsTimeoutMs = 10 * 60_000;
process.chdir(root);
// Tests must not depend on the machine's time zone.
process.env.TZ = 'America/Sao_Paulo';
// Each test file is a process, and most of them import the whole server.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node');

/** The files that a part runs by default. */
const groups: Record<string, string> = {
  unit: '{contract,client,clinic,web,checks}/**/*.test.ts',
  server: '{server,commands,build}/**/*.test.ts',
};
const [part, ...chosen] = process.argv.slice(2);

try {
  if (part !== 'unit') prepareTestMachine();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n\n0 passed, 1 failed`);
  process.exit(1);
}

const startedAt = Date.now();
const counts: Count[] = [];
if (part === undefined) {
  counts.push(
    ...(await Promise.all([
      check('types', 'tsc', ['-b']),
      check('lint and format', 'biome', ['check', '.']),
      check('promises', 'oxlint', ['-c', 'checks/oxlint.json']),
    ])),
  );
}
if (part !== 'e2e') counts.push(await runNodeTests());
if (part === undefined || part === 'e2e') counts.push(await runJourneys());

const passed = sum(counts.map((count) => count.passed));
const failed = sum(counts.map((count) => count.failed));
console.log(`\nIn ${Math.round((Date.now() - startedAt) / 1000)} s:`);
for (const count of counts) {
  const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`;
  console.log(`  ${count.name}: ${count.passed} passed, ${count.failed} failed${skipped}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Runs a tool and counts it as one test. Prints its output at the end, because tools run in parallel. */
async function check(name: string, program: string, args: string[]): Promise<Count> {
  const tool = spawn(join(root, 'node_modules', '.bin', program), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([
    text(tool.stdout),
    text(tool.stderr),
    once(tool, 'exit') as Promise<[number | null]>,
  ]);
  headline(name);
  process.stdout.write(out + errors);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function runNodeTests(): Promise<Count> {
  headline('tests');
  const postgres = part === 'unit' ? undefined : await startPostgres();
  if (postgres) process.env.TEST_DATABASE_URL = postgres.url;
  const patterns = part === undefined ? Object.values(groups) : [groups[part] ?? ''];
  const files = chosen.length > 0 ? chosen : globSync(patterns).sort();
  const count: Count = { name: 'tests', passed: 0, failed: 0, skipped: 0 };
  // Ends the tests that still run after ten minutes, and counts them as failed.
  const signal = AbortSignal.timeout(testsTimeoutMs);
  // One more file than cores, because tests also wait.
  const concurrency = availableParallelism() + 1;
  const events = run({ files, concurrency, timeout: 120_000, signal });
  events.on('test:summary', ({ file, counts: of }) => {
    if (file !== undefined) return;
    count.passed = of.passed;
    count.failed = of.tests - of.passed - of.skipped - of.todo;
    count.skipped = of.skipped + of.todo;
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await once(report, 'end');
  await postgres?.stop();
  return count;
}

async function runJourneys(): Promise<Count> {
  headline('journeys in a browser');
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-journeys-'));
  const resultFile = join(folder, 'result.json');
  const name = 'journeys';
  try {
    const code = await call('playwright', ['test', '--config=e2e', '--reporter=list,json', ...chosen], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: resultFile,
    });
    const { stats } = JSON.parse(readFileSync(resultFile, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    // An error outside the tests also counts as a failure.
    const failed = stats.unexpected + stats.flaky || (code === 0 ? 0 : 1);
    return { name, passed: stats.expected, failed, skipped: stats.skipped };
  } catch {
    return { name, passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function call(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(join(root, 'node_modules', '.bin', program), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function headline(name: string) {
  console.log(`\n── ${name}`);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
