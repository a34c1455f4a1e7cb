import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { findFreePort } from './free-port.ts';

it('never gives a port that the system gives to clients and to listeners on port 0', async () => {
  const [first = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/).map(Number);
  for (let i = 0; i < 100; i += 1) assert.ok((await findFreePort()) < first);
});

it('gives two test files that run at the same time different ports', async () => {
  const find = `const { findFreePort } = await import('./free-port.ts'); console.log(await findFreePort());`;
  const another = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', find], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim();
  const ports = [String(await findFreePort()), String(await findFreePort()), another(), another(), another()];
  assert.equal(new Set(ports).size, ports.length);
});
