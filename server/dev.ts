/** The process of `npm run dev` that restarts when server code changes. Each service has its own port. */
import { devPorts } from '#contract/dev-ports.ts';
import { buildApp } from './app.ts';
import { findFirstAdminToken } from './auth/first-admin.ts';
import { lockDataFolder } from './database/installation/data-folder.ts';
import { readEnvironment, StartError } from './environment.ts';
import { openContext } from './start.ts';

/** The URL where commands/dev.ts serves the site. The services accept changes from its origin. */
const publicUrl = 'http://localhost:3000';

const context = await open().catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
});
for (const name of ['auth', 'documents', 'storage'] as const) {
  const app = await buildApp(context, [name]);
  await app.listen({ host: 'localhost', port: devPorts[name] }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    console.error(
      `A porta ${devPorts[name]} (${name}) já está em uso: pare o outro programa e tente de novo.`,
    );
    process.exit(1);
  });
}

const token = await findFirstAdminToken(context);
if (token) console.log(`Primeira conta de administração: ${publicUrl}/primeiro-acesso#${token}`);

async function open() {
  const environment = { ...readEnvironment(), publicUrl };
  lockDataFolder(environment.dataDir);
  return openContext(environment);
}
