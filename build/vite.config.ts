import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { customMedia } from './breakpoints.ts';
import { oldestBrowsers } from './browsers.ts';
import { siteFiles } from './chunks.ts';
import { cutFonts, fontFileName } from './fonts.ts';

export default defineConfig({
  root: resolve(import.meta.dirname, '../web'),
  plugins: [react(), cutFonts(), fontsFirstScriptsLast(), compiledAtOnce()],
  css: { modules: { generateScopedName: scopedName }, postcss: { plugins: [customMedia] } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/site'),
    emptyOutDir: true,
    manifest: '.vite/manifest.json',
    // Preloads no scripts, because they are at the end of the body, and the page is readable without them.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: oldestBrowsers,
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'static/js/[name]-[hash].js', chunkFileNames: 'static/js/[name]-[hash].js' },
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            entryFileNames: 'static/js/[name]-[hash].js',
            chunkFileNames: 'static/js/[name]-[hash].js',
            assetFileNames: ({ names: [name = ''] }) =>
              name.endsWith('.woff2')
                ? fontFileName
                : name.endsWith('.css')
                  ? 'static/css/[name]-[hash][extname]'
                  : 'static/[name]-[hash][extname]',
            // By default, each shared module would become a file.
            codeSplitting: {
              groups: siteFiles,
            },
          },
        },
      },
    },
  },
});

/**
 * Gives the class `.title` in hero.module.css the name `hero-title`. Words compress better than hashes, which
 * would take a twentieth of the bytes of a page. The build stops if two stylesheets have the same name.
 */
function scopedName(name: string, file: string) {
  const stem = basename(file, '.module.css');
  const known = stylesheets.get(stem) ?? file;
  if (known !== file) throw new Error(`Two stylesheets have the same name: ${known} and ${file}`);
  stylesheets.set(stem, file);
  return `${stem}-${name}`;
}
const stylesheets = new Map<string, string>();

/** Preloads the two fonts, and moves the scripts to the end of the body, with low priority. */
function fontsFirstScriptsLast(): Plugin {
  return {
    name: 'fonts-first-scripts-last',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const scripts = html.match(/<script type="module"[^>]*><\/script>/g) ?? [];
        const rest = scripts.reduce((text, script) => text.replace(script, ''), html);
        const last = scripts.map((script) => script.replace('<script', '<script fetchpriority="low"'));
        return {
          html: rest.replace('</body>', `  ${last.join('')}\n  </body>`),
          tags: Object.keys(bundle)
            .filter((file) => file.endsWith('.woff2'))
            .map((file) => ({
              tag: 'link',
              attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
              injectTo: 'head' as const,
            })),
        };
      },
    },
  };
}

/**
 * Lets Chromium compile the whole first script at once, because compiling each function at its first call
 * takes longer. The comment for Chromium must be the first line of the script. An output banner does not
 * work, because Vite writes a line before it. See https://v8.dev/blog/explicit-compile-hints
 */
function compiledAtOnce(): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && chunk.name === 'site')
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
      },
    },
  };
}
