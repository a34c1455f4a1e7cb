import { build as bundle } from 'vite';

/**
 * Bundles the server and its packages, because loading 900 modules takes most of the time of a start.
 * Code that the server imports only when it needs it becomes files of its own.
 * @param root the folder of the program
 * @param outDir `dist/server`
 */
export async function bundleServer(root: string, outDir: string): Promise<void> {
  await bundle({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: 'server/main.ts',
      outDir,
      target: 'node26',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' } },
    },
  });
}
