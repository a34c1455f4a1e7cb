/**
 * Measures the product against its baselines: `npm run bench`, or `npm run bench -- <row> …` for some of the
 * rows. `--json <file>` also writes the figures as JSON, `--quick` runs one short round. docs/speed.md
 * explains every row. Prints a Markdown table. Exits with 1 when a goal is missed.
 */
import { writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Figure, type Result, type Row, reaches, type Scale } from './measure.ts';
import { diary } from './rows/diary.ts';
import { largeList } from './rows/large-list.ts';
import { library } from './rows/library.ts';
import { pages } from './rows/pages.ts';
import { memory, start } from './rows/process.ts';
import { publicList, several } from './rows/public-reads.ts';
import { uploads } from './rows/uploads.ts';
import { users } from './rows/users.ts';
import { creates, edit, publish } from './rows/writes.ts';
import { saveCompiledCode } from './subject.ts';

const rows: Row[] = [
  publicList,
  creates,
  edit,
  start,
  memory,
  uploads,
  users,
  library,
  largeList,
  diary,
  pages,
  publish,
  several,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const unknown = positionals.find((name) => !rows.some((row) => row.name === name));
if (unknown !== undefined) {
  console.error(`Unknown row "${unknown}". The rows are:`);
  for (const { name, about } of rows) console.error(`  ${name.padEnd(16)}${about}`);
  process.exit(2);
}
const scale: Scale = values.quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 4 };
const wanted = positionals.length > 0 ? rows.filter(({ name }) => positionals.includes(name)) : rows;

const machine = {
  at: new Date().toISOString(),
  cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()} ${arch()}`,
  node: process.version,
  sqlite: process.versions.sqlite,
  loadAverage: loadavg().map((one) => Number(one.toFixed(2))),
};
console.log(`${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}`);
console.log(`Node ${machine.node}, SQLite ${machine.sqlite}, load average ${machine.loadAverage.join(' ')}`);
console.log(`median (min–max) of ${scale.rounds} rounds, ours and the baseline in turns\n`);
console.log('| row | goal | ours | baseline | ratio |\n|---|---|---|---|---|');

await saveCompiledCode();
const results: (Result & { row: string })[] = [];
for (const { name, run } of wanted) {
  const lines = await run(scale);
  for (const line of lines) console.log(tableRow(name, line));
  results.push(...lines.map((line) => ({ row: name, ...line })));
}
if (values.json) await writeFile(values.json, JSON.stringify({ machine, scale, results }, undefined, 2));
if (results.some((result) => reaches(result) === false)) process.exitCode = 1;

/** A row of a Markdown table. What misses its goal is bold. */
function tableRow(row: string, result: Result): string {
  const { what, unit, ours, against, ratio, goal } = result;
  const bold = (text: string) => (reaches(result) === false ? `**${text}**` : text);
  const own = `${figure(ours)} ${unit}`;
  const sign = goal?.atLeast === undefined ? '≤' : '≥';
  const limit = (goal?.atLeast ?? goal?.atMost)?.toLocaleString('en', { maximumFractionDigits: 2 });
  const cells = [
    `\`${row}\`, ${what}`,
    goal ? `${ratio ? 'ratio ' : ''}${sign} ${limit}${ratio ? '' : ` ${unit}`}` : '',
    ratio ? own : bold(own),
    against ? `${against.name}: ${figure(against.figure)} ${unit}` : '',
    ratio ? bold(figure(ratio)) : '',
  ];
  return `| ${cells.map((cell) => cell.trim()).join(' | ')} |`;
}

function figure({ median, min, max }: Figure): string {
  return `${short(median)} (${short(min)}–${short(max)})`;
}

function short(number: number): string {
  if (Math.abs(number) >= 100) return Math.round(number).toLocaleString('en');
  return number.toFixed(Math.abs(number) >= 10 ? 1 : 2);
}
