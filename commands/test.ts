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
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  prepareBrowser,
  prepareForDeployTests,
  prepareForHardTests,
  prepareForSeveral,
  prepareFullLevel,
} from '#checks/test-machine.ts';
import type { FigureLine } from '#hard/figures.ts';
import { shareTemplates } from '#server/testing/databases.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';

type Count = { name: string; passed: number; failed: number; skipped: number };
/** Test files of Node's runner. Files of one batch run one after the other in one process. */
type Suite = { name: string; batches: string[][]; parallel: number; minutesPerTest: number; minutes: number };

const root = join(import.meta.dirname, '..');
process.chdir(root);
// Tests must not depend on the machine's time zone.
process.env.TZ = 'America/Sao_Paulo';
// Node caches compiled code here, because most test processes import the whole server.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node');

const [part = 'daily', ...chosen] = process.argv.slice(2);
const isFullLevel = part === 'all';
// `databaseKinds` and `isFullLevel` of the tests read this variable.
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
/** The messages of failures, to print again near the end, where a reader looks first. */
const failures: string[] = [];
if (part === 'daily')
  counts.push(
    ...(await Promise.all([
      check('types', 'tsc', ['-b']),
      check('lint and format', 'biome', ['check', '.']),
      check('promises', 'oxlint', ['-c', 'checks/oxlint.json']),
    ])),
  );
const postgres = isFullLevel ? await startPostgres() : undefined;
const removeTemplates = await shareTemplates(postgres?.url);
const figures = join(mkdtempSync(join(tmpdir(), 'acolhe-figures-')), 'figures');
process.env.HARD_FIGURES = figures;
for (const suite of suitesToRun()) if (suite.batches.length > 0) counts.push(await runSuite(suite));
removeTemplates();
await postgres?.stop();
if (existsSync(figures)) printFigures();
rmSync(dirname(figures), { recursive: true });
const journeys = part === 'e2e' ? chosen : chosen.filter((file) => file.endsWith('.spec.ts'));
if (journeys.length > 0 || (chosen.length === 0 && ['daily', 'all', 'e2e'].includes(part)))
  counts.push(await runJourneys(journeys));

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

/** Returns the suites of the part, with the files of its level or the chosen ones. */
function suitesToRun(): Suite[] {
  const files = (pattern: string | string[]) =>
    chosen.length > 0 ? chosen.filter((file) => !file.endsWith('.spec.ts')) : globSync(pattern).sort();
  const alone = (of: string[]) => of.map((file) => [file]);
  // Runs one process more than there are cores, because a test spends part of its time waiting.
  const usual = { parallel: availableParallelism() + 1, minutesPerTest: 2, minutes: 20 };
  const unit = '{contract,client,clinic,web,checks}/**/*.test.ts';
  const server = '{server,commands,build}/**/*.test.ts';
  switch (part) {
    case 'e2e':
      return [];
    case 'hard': {
      const isMeasured = (file: string) => file.startsWith(join('hard', 'measured'));
      const all = files('hard/**/*.test.ts');
      // The mixed load takes the longest, so it starts first. The others run during its 20 minutes.
      const others = all.filter((file) => !isMeasured(file)).sort((a) => (a.includes('mixed-load') ? -1 : 1));
      const limits = { minutesPerTest: 25, minutes: 45 };
      return [
        { name: 'measured attacks', batches: alone(all.filter(isMeasured)), parallel: 1, ...limits },
        { name: 'attacks and failures', batches: alone(others), parallel: 2, ...limits },
      ];
    }
    case 'several': {
      const batches = alone(files('deploy/several/*.test.ts'));
      return [{ name: 'several machines', batches, parallel: 1, minutesPerTest: 14, minutes: 15 }];
    }
    case 'deploy': {
      const batches = alone(files('deploy/*.test.ts'));
      return [{ name: 'deployment', batches, parallel: 1, minutesPerTest: 15, minutes: 30 }];
    }
    case 'all': {
      const isFull = (file: string) =>
        chosen.length > 0 ||
        file.includes('.full.') ||
        file.startsWith('deploy') ||
        /\b(databaseKinds|isFullLevel)\b/.test(readFileSync(file, 'utf8'));
      const found = files([unit, server, 'deploy/!(image*).test.ts']).filter(isFull);
      return [{ name: 'tests', batches: batchesOf(found), ...usual }];
    }
    default: {
      const pattern = part === 'unit' ? unit : part === 'server' ? server : [unit, server];
      const found = files(pattern).filter((file) => chosen.length > 0 || !file.includes('.full.'));
      return [{ name: 'tests', batches: batchesOf(found), ...usual }];
    }
  }
}

/**
 * Divides the files into batches of at most eight. Files of one folder are next to each other in the list and
 * take a similar time, so each goes to a different batch.
 */
function batchesOf(files: string[]): string[][] {
  const count = Math.ceil(files.length / 8);
  return Array.from({ length: count }, (_, batch) => files.filter((_file, place) => place % count === batch));
}

async function runSuite({ name, batches, parallel, minutesPerTest, minutes }: Suite): Promise<Count> {
  headline(name);
  const count: Count = { name, passed: 0, failed: 0, skipped: 0 };
  const signal = AbortSignal.timeout(minutes * 60_000);
  const runNext = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const of = await runBatch(batch, minutesPerTest, signal);
      count.passed += of.passed;
      count.failed += of.failed;
      count.skipped += of.skipped;
    }
  };
  await Promise.all(Array.from({ length: parallel }, runNext));
  return count;
}

/**
 * Runs files in one process, because each process must import the whole server. Prints the output at the end.
 */
async function runBatch(files: string[], minutesPerTest: number, signal: AbortSignal) {
  const options = [
    '--test-isolation=none',
    `--test-timeout=${minutesPerTest * 60_000}`,
    '--test-reporter=spec',
  ];
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

/** Prints what the tests have measured. */
function printFigures() {
  headline('figures');
  for (const line of readFileSync(figures, 'utf8').trim().split('\n')) {
    const { attack, figure, limit } = JSON.parse(line) as FigureLine;
    console.log(`| ${attack} | ${figure} | ${limit} |`);
  }
}

async function runJourneys(files: string[]): Promise<Count> {
  headline('journeys in a browser');
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-journeys-'));
  const resultFile = join(folder, 'result.json');
  const selection = files.length > 0 ? files : [`--project=${isFullLevel ? 'full' : 'daily'}`];
  const options = ['test', '--config=e2e', '--reporter=list,json', ...selection];
  try {
    const child = spawn(join(root, 'node_modules', '.bin', 'playwright'), options, {
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: resultFile },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    const { stats } = JSON.parse(readFileSync(resultFile, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    // An error outside the tests also counts as a failure.
    const failed = stats.unexpected + stats.flaky || (code === 0 ? 0 : 1);
    return { name: 'journeys', passed: stats.expected, failed, skipped: stats.skipped };
  } catch {
    return { name: 'journeys', passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function headline(name: string) {
  console.log(`\n── ${name}`);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
