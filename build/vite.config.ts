import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

import { oldestBrowsers } from './browsers.ts';
import { cutFonts, fontFileName } from './fonts.ts';

const breakpoints = resolve(import.meta.dirname, '../web/styles/breakpoints.css');
const rules = readFileSync(breakpoints, 'utf8').matchAll(/^@custom-media (--[\w-]+) (.+);$/gm);
const conditions = new Map([...rules].map(([, name, condition]) => [name, condition]));

/**
 * A PostCSS plugin that replaces names such as `(--large)` in media queries with the condition in
 * breakpoints.css. Browsers do not support `@custom-media`.
 */
const customMedia = {
  postcssPlugin: 'custom-media',
  AtRule: {
    media(rule: { params: string }) {
      rule.params = rule.params.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
        const condition = conditions.get(name);
        if (!condition) throw new Error(`breakpoints.css does not declare ${name}`);
        return `(${condition})`;
      });
    },
  },
};

/** Imports what every page needs, and the first screen of the home page. */
const entry = /\/web\/app\/main\.tsx$/;
/** The styles of the home page, and of components that most public pages have. */
const homeStyles =
  /\/web\/(?:components|components\/(?:art|form|layout|media)|pages\/public\/(?:home|components))\/[\w-]+\.module\.css$/;

/**
 * The files of the site. By default, each shared module would become a file. A group also contains all
 * imports of its modules, except those that a group with a higher priority contains.
 */
const groups = [
  // Also the styles of the whole home page, because a second style file would delay the fonts.
  { name: 'site', priority: 6, test: (id: string) => entry.test(id) || homeStyles.test(id) },
  { name: 'public', priority: 5, test: /\/web\/pages\/public\// },
  { name: 'client', priority: 4, test: /\/web\/app\/client\.ts$/ },
  // Without the page of a user's data, which few open.
  { name: 'account', priority: 3, test: /\/web\/(?:components|pages\/(?:account(?!\/data)|member))\// },
  // Without this group, the pages of patients would load the file of the admin area for what both import.
  { name: 'patient', priority: 2, test: /\/web\/pages\/patient\/(?!device)/ },
  // Only devices that are used without network load this.
  { name: 'offline', priority: 2, test: /\/web\/offline\// },
  { name: 'admin', priority: 1, test: /\/web\/pages\/admin\// },
];

export default defineConfig({
  root: resolve(import.meta.dirname, '../web'),
  plugins: [react(), cutFonts(), fontsFirstScriptsLast()],
  css: { modules: { generateScopedName: scopedName }, postcss: { plugins: [customMedia] } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/site'),
    emptyOutDir: true,
    manifest: '.vite/manifest.json',
    // Loads a page's files side by side, not one import after the other. The document preloads no scripts,
    // because the page is readable without them.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'js' ? files : []),
    },
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
            codeSplitting: { groups },
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
