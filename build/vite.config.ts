import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { siteFiles } from './chunks.ts';
import { cutFonts, fontFileName } from './fonts.ts';

export default defineConfig({
  root: resolve(import.meta.dirname, '../web'),
  plugins: [react(), unusedRouterParts(), cutFonts(), fontsFirstScriptsLast()],
  css: { modules: { generateScopedName: scopedName } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/site'),
    emptyOutDir: true,
    manifest: '.vite/manifest.json',
    // The script sits at the end of the body and the page reads well without it: nothing to hurry.
    modulePreload: false,
    assetsInlineLimit: 0,
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
            // Left alone, each part that pages share would be a file.
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
 * `hero-title` for `.title` in hero.module.css. Words pack well and hashes do not: with those, the names alone
 * would be a twentieth of what a page loads. File names are unique, or the build stops.
 */
function scopedName(name: string, file: string) {
  const stem = basename(file, '.module.css');
  const known = stylesheets.get(stem) ?? file;
  if (known !== file) throw new Error(`Two stylesheets have the same name: ${known} and ${file}`);
  stylesheets.set(stem, file);
  return `${stem}-${name}`;
}
const stylesheets = new Map<string, string>();

/**
 * Lets the build leave out what nothing uses of React Router: its forms, its links that prefetch, its scroll
 * restoration, its hooks for measuring. As they come, the build cannot know. Should a later version be written
 * otherwise, nothing breaks, and the test of the site's weight tells.
 */
function unusedRouterParts(): Plugin {
  return {
    name: 'unused-router-parts',
    apply: 'build',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/](?:dom[\\/]lib|router[\\/]router)\.js$/ },
      handler: (code) =>
        code
          // Components are made and named by statements that might do anything else besides.
          .replace(/^\w+\.displayName = "\w+";$/gm, '')
          .replace(/= (?=React\$1\.forwardRef\()/g, '= /* @__PURE__ */ ')
          // No router of this site is given any.
          .replaceAll('init.instrumentations', 'undefined'),
    },
  };
}

/** Asks for the two fonts at once, and moves the scripts behind the content and everything that shows it. */
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
