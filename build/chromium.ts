import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const chromiumNames = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The same browser without what only its window needs: journeys take a third less of the processor. */
export const headlessShell = 'chromium-headless-shell';

/** A Chromium or Chrome of this machine: `CHROMIUM_PATH`, else the first that is found. */
export function findChromium(): string | undefined {
  return findFirst([...chromiumNames, headlessShell]);
}

/** The lightest Chromium of this machine that needs no window: `CHROMIUM_PATH`, else the first that is found. */
export function findHeadlessChromium(): string | undefined {
  return findFirst([headlessShell, ...chromiumNames]);
}

function findFirst(names: string[]): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return (named ? [named] : names).map(findProgram).find((path) => path !== undefined);
}

/** @param nameOrPath a program's name, looked for on PATH, or its path */
export function findProgram(nameOrPath: string): string | undefined {
  const candidates = isAbsolute(nameOrPath)
    ? [nameOrPath]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, nameOrPath));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
