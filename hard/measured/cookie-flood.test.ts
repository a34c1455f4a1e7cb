import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { temporaryFolder } from '../machine.ts';
import { measureFlood } from './flood.ts';

it('serves pages during a flood of cookies that are slow to decode', async (t) => {
  const server = await startServerProcess(await temporaryFolder(t));
  t.after(() => server.kill());
  const cookies = ['ab=%;ac=%;', 'acolhe-session=%;', 'acolhe-known=a.b;', ';'];
  await measureFlood(t, {
    attack: 'cookies of 15 kB',
    server,
    requests: [paths.auth.session, paths.documents.accountExport, '/'].flatMap((path) =>
      cookies.map((pair) => ({ path, headers: { cookie: pair.repeat(15_000 / pair.length) } })),
    ),
  });
});
