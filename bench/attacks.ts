/**
 * Measures the effect of an attack by one client: the p99 of the home page for another client, without and
 * with the attack, and the growth of the server's memory and disk. After `npm run build`, run
 * `node bench/attacks.ts [seconds of each attack] [slashes] [paths] [readers]`.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { visitorAt } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { keepProcessorsAwake } from './awake.ts';
import { percentile } from './measure.ts';
import { openReader } from './reader.ts';
import { residentMegabytes, startProgram, startSubject } from './subject.ts';

const [, , duration = '60', ...chosen] = process.argv;
const seconds = Number(duration);
const restSeconds = Math.min(seconds, 20);
const subject = await startSubject();
const awake = keepProcessorsAwake();

try {
  const file = await storeLargeFile();
  const reader = await openReader(`${subject.url}/`, { 'accept-encoding': 'br' });
  await readFor(2);
  for (const kind of chosen.length > 0 ? chosen : ['slashes', 'paths', 'readers']) {
    const rest = await readFor(restSeconds);
    const [memoryBefore, diskBefore] = [await residentMegabytes(subject.pid), bytesIn(subject.dataDir)];
    const attacker = await startProgram('attacker.ts', kind, subject.url, file);
    const attacked = await readFor(seconds);
    const memory = (await residentMegabytes(subject.pid)) - memoryBefore;
    const disk = bytesIn(subject.dataDir) - diskBefore;
    await attacker.stop();
    await setTimeout(2_000);
    console.log(
      `${kind}: p99 ${rest.toFixed(2)} ms at rest, ${attacked.toFixed(2)} ms attacked (× ${(attacked / rest).toFixed(2)}); ` +
        `memory +${memory.toFixed(0)} MB; disk +${(disk / 1e6).toFixed(1)} MB in ${seconds} s`,
    );
  }
  reader.close();

  async function readFor(duration: number): Promise<number> {
    const times: number[] = [];
    const until = performance.now() + duration * 1_000;
    while (performance.now() < until) {
      times.push(await reader.read());
      await setTimeout(2);
    }
    return percentile(times, 0.99);
  }
} finally {
  awake.stop();
  await subject.stop();
}

async function storeLargeFile(): Promise<string> {
  const admin = visitorAt(subject.url, subject.url);
  await admin.client.auth.signIn({ email: 'alice.admin@exemplo.com.br', password: 'calmaria2025x' });
  const storage = storageOf(admin);
  await storage.upload('postAudios/mind/longo', mp3(24_000_000), 8_000_000);
  const { pathname, search } = new URL(await storage.url('postAudios/mind/longo'), subject.url);
  return pathname + search;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}
