import { flushCompileCache } from 'node:module';
import { readEnvironment, StartError } from './environment.ts';
import { withSources } from './http/log.ts';
import { reportReady } from './service-manager.ts';
import { startServer } from './start.ts';

let server: Awaited<ReturnType<typeof startServer>> | undefined;

// Register these handlers first: a signal can arrive as soon as the server reports that it is ready. After
// Ctrl+C, the terminal and npm each send SIGINT. Without a listener, the second one would end the process at
// once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (server ? void server.stop() : process.exit()));

try {
  const environment = readEnvironment();
  server = await startServer(environment);
  if (environment.notifySocket !== undefined) await reportReady(environment.notifySocket);
  // Without this call, Node would save the compiled code only at a normal exit, and keep a copy of it in
  // memory until then.
  flushCompileCache();
} catch (error) {
  if (!(error instanceof StartError)) {
    if (error instanceof Error) error.stack = withSources(error.stack ?? '');
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
  await server?.stop();
}
