/**
 * `npm run check-overrides`: asks npm whether it now has the versions that Better Auth requires of the
 * overridden packages (docs/decisions/003).
 */
import { spawnSync } from 'node:child_process';
import { listOverrides } from '#checks/overrides.ts';

for (const { name, given, wanted } of listOverrides()) {
  const { stdout } = spawnSync('npm', ['view', `${name}@${wanted}`, 'version'], { encoding: 'utf8' });
  const there = stdout.trim() === wanted;
  console.log(
    there
      ? `${name}: ${wanted} is there. Remove the override (${given}) and run npm install.`
      : `${name}: ${wanted} is not there yet; the override (${given}) stays.`,
  );
}
