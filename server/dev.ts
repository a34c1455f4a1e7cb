/** The part of `npm run dev` that restarts when server code changes: each service on its own port. */
import { devPorts } from '#contract/limits.ts';
import { buildApp } from './app.ts';
import { findFirstAdminToken } from './auth/first-admin.ts';
import { readEnvironment } from './environment.ts';
import { openContext } from './start.ts';

/** The URL where commands/dev.ts serves the site: the origin that the services accept. */
const publicUrl = 'http://localhost:3000';

const context = await openContext({ ...readEnvironment(), publicUrl });
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
