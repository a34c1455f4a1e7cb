import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const chromiumNames = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ...['microsoft-edge', 'microsoft-edge-stable'],
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Chromium without a window. Browser tests take a third less processor time with it. */
export const headlessShell = 'chromium-headless-shell';

/** The path of Chromium, Chrome or Edge: `CHROMIUM_PATH`, otherwise the first that is found. */
export function findChromium(): string | undefined {
  return findFirst([...chromiumNames, headlessShell]);
}

/** The path of a headless Chromium: `CHROMIUM_PATH`, otherwise the headless shell, otherwise any Chromium. */
export function findHeadlessChromium(): string | undefined {
  return findFirst([headlessShell, ...chromiumNames]);
}

function findFirst(names: string[]): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return (named ? [named] : names).map(findProgram).find((path) => path !== undefined);
}

/** @param nameOrPath name of a program on PATH, or its path */
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
