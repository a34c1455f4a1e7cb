/**
 * `npm run dev`: serves the site with hot reload at http://localhost:3000, and three services on other ports.
 * A change in the server restarts the services.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { createServer, type Plugin } from 'vite';
import { devPorts } from '#contract/dev-ports.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

const services = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(root, 'server', 'dev.ts')],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);

const port = 3000;
const vite = await createServer({
  configFile: join(root, 'build', 'vite.config.ts'),
  clearScreen: false,
  plugins: [clinicFiles()],
  server: {
    host: 'localhost',
    port,
    strictPort: true,
    // The browser requests these paths without the client library: links in mails, downloads, sign-in with
    // Google, files.
    proxy: {
      '/api/auth': `http://localhost:${devPorts.auth}`,
      '/api/documents': `http://localhost:${devPorts.documents}`,
      '/api/site': `http://localhost:${devPorts.documents}`,
      '/api/storage': `http://localhost:${devPorts.storage}`,
      '/files': `http://localhost:${devPorts.storage}`,
    },
  },
});
await vite.listen().catch((error: Error) => {
  console.error(`O site não pôde abrir a porta ${port}: ${error.message}`);
  services.kill('SIGTERM');
  process.exit(1);
});
vite.printUrls();
listenOnOtherLoopback();

services.once('exit', () => void vite.close());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => services.kill('SIGTERM'));

/** `localhost` has two IP addresses, 127.0.0.1 and [::1]. Listens on the one that Vite does not listen on. */
function listenOnOtherLoopback() {
  const own = vite.httpServer?.address();
  if (own === null || typeof own !== 'object') return;
  const other = createHttpServer(vite.middlewares);
  other.on('upgrade', (...upgrade) => vite.httpServer?.emit('upgrade', ...upgrade));
  // Ignores errors, because some machines have no IPv6.
  other.on('error', () => {});
  other.listen(port, own.address === '127.0.0.1' ? '::1' : '127.0.0.1').unref();
}

/** Serves the clinic's pictures and sounds at the same paths as the built site. */
function clinicFiles(): Plugin {
  const types: Record<string, string> = {
    ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp' },
    ...{ '.avif': 'image/avif', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4' },
  };
  return {
    name: 'clinic-files',
    configureServer({ middlewares }) {
      for (const folder of ['images', 'audio'])
        middlewares.use(`/${folder}`, (request, response, next) => {
          const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
          const type = types[extname(path)];
          if (type === undefined) return next();
          readFile(join(root, 'clinic', folder, path)).then(
            (content) => response.setHeader('content-type', type).end(content),
            () => next(),
          );
        });
    },
  };
}
