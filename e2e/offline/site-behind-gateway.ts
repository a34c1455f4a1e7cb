import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { expect, test } from '../journey.ts';
import type { TestUser } from '../site.ts';
import { type Gateway, openGateway } from './gateway.ts';

/** Starts, for the tests of a file, a site whose visitors all pass a gateway. */
export function siteBehindGateway() {
  let gateway: Gateway;
  let server: ServerProcess | undefined;
  let dataDir: string;

  test.beforeAll(async () => {
    gateway = await openGateway();
    dataDir = mkdtempSync(join(tmpdir(), 'acolhe-gateway-'));
    await site.start();
  });
  test.beforeEach(() => {
    gateway.network = 'open';
  });
  test.afterAll(async () => {
    await server?.stop();
    await gateway.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const site = {
    get gateway() {
      return gateway;
    },
    /** What the browser opens. */
    get url() {
      return gateway.url;
    },
    get server(): ServerProcess {
      if (!server) throw new Error('The server has not started.');
      return server;
    },
    /** Starts the server, after the one that ran before has ended. @param folder a build other than ours */
    async start(environment: Record<string, string> = {}, folder?: string) {
      await server?.stop();
      server = await startServerProcess(dataDir, { PUBLIC_URL: gateway.url, ...environment }, folder);
      gateway.target = server.port;
    },
    async signIn(page: Page, { email, password }: TestUser) {
      const response = await page.request.post(gateway.url + paths.auth.signIn, {
        ...{ data: { email, password }, headers: { origin: gateway.url } },
      });
      expect(response.status()).toBe(200);
    },
  };
  return site;
}
