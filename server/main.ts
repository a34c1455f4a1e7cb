import { readEnvironment, StartError } from './environment.ts';
import { startServer } from './start.ts';

try {
  const environment = readEnvironment();
  const server = await startServer(environment);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
