import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Makes the folder of another release, in which every script of the site has another name. The list in its
 * service worker follows.
 */
export function makeNextBuild(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-build-'));
  // The server finds its build by the real path of server/main.ts.
  for (const name of ['dist', 'server', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'dist');
  const scripts = join(dist, 'site/static/js');
  for (const name of readdirSync(scripts)) {
    // The server then sends the file itself.
    if (/\.(?:br|gz)$/.test(name)) rmSync(join(scripts, name));
    else renameSync(join(scripts, name), join(scripts, `new-${name}`));
  }
  const names = readdirSync(scripts).map((name) => name.slice('new-'.length));
  const change = (file: string) => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      names.reduce((all, name) => all.replaceAll(name, `new-${name}`), text),
    );
  };
  for (const name of names) change(join(scripts, `new-${name}`));
  for (const name of ['document.json', 'render.js', 'sw.js']) change(join(dist, name));
  const worker = join(dist, 'sw.js');
  const list = readFileSync(worker, 'utf8').replace(
    /url:`(\/[^`]+)`,integrity:`[^`]+`/g,
    (_, url: string) => {
      const hash = createHash('sha256').update(readFileSync(join(dist, 'site', url)));
      return `url:\`${url}\`,integrity:\`sha256-${hash.digest('base64')}\``;
    },
  );
  const id = createHash('sha256').update(list).digest('hex').slice(0, 12);
  writeFileSync(worker, list.replace(/id:`[0-9a-f]{12}`/, `id:\`${id}\``));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
