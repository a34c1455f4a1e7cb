import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: 'web',
  plugins: [react(), fontsFirstScriptLast()],
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/site'),
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
                ? 'static/fonts/[name]-[hash][extname]'
                : name.endsWith('.css')
                  ? 'static/css/[name]-[hash][extname]'
                  : 'static/[name]-[hash][extname]',
            // What the entry needs is one file: a page is that file and its own.
            codeSplitting: { groups: [{ name: 'site', tags: ['$initial'] }] },
          },
        },
      },
    },
  },
});

/** Asks for the two fonts at once, and moves the script behind the content. */
function fontsFirstScriptLast(): Plugin {
  return {
    name: 'fonts-first-script-last',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const script = html.match(/\n?\s*<script type="module"[^>]*><\/script>/)?.[0] ?? '';
        return {
          html: html.replace(script, '').replace('</body>', `${script.trim()}\n  </body>`),
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
