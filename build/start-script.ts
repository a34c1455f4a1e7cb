/**
 * The inline script of a prerendered page. It loads the page's code, named in `data-files`, after the first
 * paint, because an earlier load would delay the fonts. A page with inline styles names its style files in
 * `data-styles`. These files load before the code runs. The code also runs when a style file fails to load.
 *
 * The script is the same in every page, so that the server can allow it by its hash. The build removes types
 * and comments but does not bundle this file, so import nothing here.
 */
const { files = '', styles = '' } = document.querySelector<HTMLElement>('[data-files]')?.dataset ?? {};
const modules = files.split(' ');

async function start() {
  try {
    if (styles !== '') {
      // Code and styles load in parallel.
      for (const file of modules) void addLink('modulepreload', file);
      await Promise.all(styles.split(' ').map((file) => addLink('stylesheet', file)));
    }
    await Promise.all(modules.map((file) => import(file)));
  } catch (error) {
    console.error(error);
    document.documentElement.dataset.withoutCode = '';
  }
}

/** Resolves when the file has loaded or failed. */
function addLink(rel: string, href: string): Promise<unknown> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    document.head.append(
      Object.assign(link, { rel, href, crossOrigin: '', onload: resolve, onerror: resolve }),
    );
  });
}

// Waits for the first paint. Does not wait in the background, where pages are not painted, or in a browser
// that does not report the paint.
if (document.visibilityState === 'visible' && PerformanceObserver.supportedEntryTypes?.includes('paint')) {
  const painted = new PerformanceObserver(() => {
    painted.disconnect();
    void start();
  });
  painted.observe({ type: 'paint', buffered: true });
} else void start();
