/**
 * `npm test` proves every promise once, at the lowest cost: types, lint, unit tests, server tests on SQLite,
 * and journeys in a browser. It needs only Node and a Chromium.
 *
 * `npm run test:all` runs the rest, the full level: tests with `full` in their name or tag, tests that use
 * `databaseKinds` again on PostgreSQL, and the tests of `deploy/` that build no image.
 *
 * `npm run test:unit`, `test:server` and `test:e2e` run one part of `npm test`, or only the files in their
 * arguments. `npm run test:all -- FILES` runs these files at the full level.
 *
 * `npm run test:hard` runs the attacks of `hard/`, `test:several` the tests of `deploy/several/`, and
 * `test:deploy` all tests of `deploy/`.
 *
 * Every step runs, even after a failure. The last line has the totals. The exit code is 0 only if nothing
 * failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import {
  prepareBrowser,
  prepareForDeployTests,
  prepareForHardTests,
  prepareForSeveral,
  prepareFullLevel,
} from '#checks/test-machine.ts';
import type { FigureLine } from '#hard/figures.ts';
import { shareTemplates } from '#server/testing/databases.ts';
import { startPostgres } from '#server/testing/postgres.ts';

type Count = { name: string; passed: number; failed: number; skipped: number };

const root = join(import.meta.dirname, '..');
const minute = 60_000;
process.chdir(root);
// Tests must not depend on the machine's time zone.
process.env.TZ = 'America/Sao_Paulo';
// Node caches compiled code here, because most test processes import the whole server.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node');

const unitTests = '{contract,client,clinic,web,checks}/**/*.test.ts';
const serverTests = '{server,commands,build}/**/*.test.ts';
const [part = 'daily', ...chosen] = process.argv.slice(2);
const isFullLevel = part === 'all';
// `databaseKinds` reads this variable.
if (isFullLevel) process.env.TEST_LEVEL = 'full';

try {
  if (part !== 'unit') prepareBrowser();
  if (['all', 'hard', 'several', 'deploy'].includes(part)) prepareFullLevel();
  if (part === 'hard') prepareForHardTests();
  if (part === 'several') prepareForSeveral();
  if (part === 'deploy') prepareForDeployTests();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n\n0 passed, 1 failed`);
  process.exit(1);
}

const startedAt = Date.now();
const counts: Count[] = [];
/**
 * The messages of tools and tests about failures, to print again near the end, where a reader looks first.
 */
const failures: string[] = [];
if (part === 'daily') {
  counts.push(
    ...(await Promise.all([
      check('types', 'tsc', ['-b']),
      check('lint and format', 'biome', ['check', '.']),
      check('promises', 'oxlint', ['-c', 'checks/oxlint.json']),
    ])),
  );
}
if (part === 'hard') counts.push(...(await runHardTests()));
else if (part === 'several') counts.push(...(await runSeveralTests()));
else if (part === 'deploy') counts.push(await runDeployTests());
else {
  const files = part === 'e2e' ? [] : filesToRun();
  if (files.length > 0) counts.push(await runServerAndUnitTests(files));
  const journeys = part === 'e2e' ? chosen : chosen.filter((file) => file.endsWith('.spec.ts'));
  if (journeys.length > 0 || (chosen.length === 0 && !['unit', 'server'].includes(part)))
    counts.push(await runJourneys(journeys));
}

const passed = sum(counts.map((count) => count.passed));
const failed = sum(counts.map((count) => count.failed));
if (failures.length > 0) {
  headline('failures');
  for (const failure of failures) process.stdout.write(failure);
}
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
  if (code !== 0) failures.push(out + errors);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Returns the chosen test files, or those of the part and its level. */
function filesToRun(): string[] {
  if (chosen.length > 0) return chosen.filter((file) => !file.endsWith('.spec.ts'));
  if (part === 'unit' || part === 'server')
    return globSync(part === 'unit' ? unitTests : serverTests).filter((file) => !isOnlyFull(file));
  const files = globSync([unitTests, serverTests]);
  if (!isFullLevel) return files.filter((file) => !isOnlyFull(file));
  const hasFullTests = (file: string) => /\b(databaseKinds|isFullLevel)\b/.test(readFileSync(file, 'utf8'));
  return [
    ...files.filter((file) => isOnlyFull(file) || hasFullTests(file)),
    ...globSync('deploy/!(image*).test.ts'),
  ];
}

function isOnlyFull(file: string): boolean {
  return file.includes('.full.');
}

async function runServerAndUnitTests(files: string[]): Promise<Count> {
  headline('tests');
  const postgres = isFullLevel ? await startPostgres() : undefined;
  const removeTemplates = await shareTemplates(postgres?.url);
  const batches = batchesOf(files.sort());
  const count: Count = { name: 'tests', passed: 0, failed: 0, skipped: 0 };
  const signal = AbortSignal.timeout(20 * minute);
  const runNext = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const of = await runBatch(batch, signal);
      count.passed += of.passed;
      count.failed += of.failed;
      count.skipped += of.skipped;
    }
  };
  // Runs one process more than there are cores, because a test spends part of its time waiting.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, runNext));
  removeTemplates();
  await postgres?.stop();
  return count;
}

/**
 * Divides the files into batches of at most eight. Files of one folder are next to each other in the list and
 * take a similar time, so each goes to a different batch.
 */
function batchesOf(files: string[]): string[][] {
  const count = Math.ceil(files.length / 8);
  return Array.from({ length: count }, (_, batch) => files.filter((_file, place) => place % count === batch));
}

/**
 * Runs files one after the other in one process, because each process must import the whole server.
 * Prints the output when the process ends.
 */
async function runBatch(files: string[], signal: AbortSignal): Promise<Omit<Count, 'name'>> {
  const options = ['--test-isolation=none', `--test-timeout=${2 * minute}`, '--test-reporter=spec'];
  const tests = spawn(process.execPath, ['--test', ...options, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  tests.on('error', (error) => console.error(`${files.join(' ')}: ${error.message}`));
  const ended = new Promise<number | null>((resolve) => tests.once('close', resolve));
  const [out, errors, code] = await Promise.all([text(tests.stdout), text(tests.stderr), ended]);
  process.stdout.write(out + errors);
  const numberOf = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(out)?.[1] ?? 0);
  // A process that exits before its tests are complete prints no numbers, whatever its exit code.
  const failed = numberOf('fail') + numberOf('cancelled') || (code === 0 && numberOf('tests') > 0 ? 0 : 1);
  if (failed > 0) {
    const [, list] = out.split('✖ failing tests:');
    failures.push(list ?? `No result from ${files.join(' ')}, exit code ${code}\n${errors}`);
  }
  return { passed: numberOf('pass'), failed, skipped: numberOf('skipped') + numberOf('todo') };
}

/** Runs the tests of `deploy/`, one file at a time, because an image needs the whole machine. */
async function runDeployTests(): Promise<Count> {
  headline('deployment');
  const files = chosen.length > 0 ? chosen : globSync('deploy/*.test.ts').sort();
  const options = { timeout: 15 * minute, signal: AbortSignal.timeout(30 * minute), concurrency: 1 };
  return runNodeTests('deployment', files, options);
}

/** Runs the tests in `hard/measured` one at a time. Then runs the others, during 20 minutes of mixed load. */
async function runHardTests(): Promise<Count[]> {
  const options = { timeout: 25 * minute, signal: AbortSignal.timeout(45 * minute) };
  const isMeasured = (file: string) => file.startsWith(join('hard', 'measured'));
  const files = chosen.length > 0 ? chosen : globSync('hard/**/*.test.ts');
  // The mixed load takes the longest, so it starts first.
  const others = files.filter((file) => !isMeasured(file)).sort((a) => (a.includes('mixed-load') ? -1 : 1));
  const counts: Count[] = [];
  await withFigures(async () => {
    headline('attacks, one at a time');
    const measured = files.filter(isMeasured);
    if (measured.length > 0)
      counts.push(await runNodeTests('measured attacks', measured, { ...options, concurrency: 1 }));
    headline('attacks and failures');
    if (others.length > 0) counts.push(await runNodeTests('attacks', others, { ...options, concurrency: 2 }));
  });
  return counts;
}

/** Runs the tests of `deploy/several/` one file at a time, because each needs all cores. */
async function runSeveralTests(): Promise<Count[]> {
  const options = { timeout: 14 * minute, signal: AbortSignal.timeout(15 * minute), concurrency: 1 };
  const files = chosen.length > 0 ? chosen : globSync('deploy/several/*.test.ts').sort();
  headline('several machines');
  return withFigures(async () => [await runNodeTests('several machines', files, options)]);
}

/** Runs tests that report figures, and prints the figures. */
async function withFigures<Result>(work: () => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-figures-'));
  const figuresFile = join(folder, 'figures');
  process.env.HARD_FIGURES = figuresFile;
  try {
    const result = await work();
    printFigures(figuresFile);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printFigures(file: string) {
  headline('figures');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  for (const line of lines) {
    const { attack, figure, limit } = JSON.parse(line) as FigureLine;
    console.log(`| ${attack} | ${figure} | ${limit} |`);
  }
}

/** Runs test files with Node's test runner, and ends them when `signal` is aborted. */
async function runNodeTests(
  name: string,
  files: string[],
  options: { concurrency: number; timeout: number; signal: AbortSignal },
): Promise<Count> {
  const count: Count = { name, passed: 0, failed: 0, skipped: 0 };
  const events = run({ files, ...options });
  events.on('test:summary', ({ file, counts: of }) => {
    if (file !== undefined) return;
    count.passed = of.passed;
    count.failed = of.tests - of.passed - of.skipped - of.todo;
    count.skipped = of.skipped + of.todo;
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await once(report, 'end');
  return count;
}

async function runJourneys(files: string[]): Promise<Count> {
  headline('journeys in a browser');
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-journeys-'));
  const resultFile = join(folder, 'result.json');
  const name = 'journeys';
  const level = isFullLevel ? ['--project=full'] : ['--project=daily'];
  try {
    const selection = files.length > 0 ? files : level;
    const code = await call('playwright', ['test', '--config=e2e', '--reporter=list,json', ...selection], {
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
