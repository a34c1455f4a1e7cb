import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type SwiftServer, s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import type { TestUser } from '#server/testing/server.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts';
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts';

/**
 * The value that deploy/haproxy.cfg recommends. Three restarts still fit into the time limit of the suite.
 */
const drainSeconds = 15;
const admins = 8;
const timeoutMs = 60_000;

/** A site as in production: HAProxy, three instances, PostgreSQL with a standby, S3. */
export type Site = {
  url: string;
  balancer: LoadBalancer;
  cluster: PostgresCluster;
  s3: SwiftServer;
  instances: readonly Instance[];
  admins: TestUser[];
  /** An activity that no test changes. */
  activityId: string;
  /** Waits until HAProxy has this number of ready instances. */
  ready(count: number): Promise<void>;
  stop(): Promise<void>;
};

export type Instance = {
  name: string;
  url: string;
  pid(): number;
  isRunning(): boolean;
  log(): string;
  /** @returns the path of the link for the first admin */
  start(): Promise<string>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

export async function startSite(): Promise<Site> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const [cluster, s3] = await Promise.all([startPostgresCluster(), startSwift()]);
    undo.push(cluster.stop, s3.remove);
    await cluster.createDatabase('acolhe');
    const balancer = await startLoadBalancer(cluster);
    undo.push(balancer.stop);
    const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-several-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const environment = { ...environmentOf(balancer), ...s3Environment(s3) };
    const instances = balancer.ports.map((port, index) =>
      createInstance('abc'[index] ?? '', path.join(folder, `${index}`), {
        ...environment,
        PORT: String(port),
      }),
    );
    undo.push(() => Promise.all(instances.map((instance) => instance.kill())));
    let firstAdminPath = '';
    for (const instance of instances) firstAdminPath = (await instance.start()) || firstAdminPath;
    const ready = (count: number) => readyInstances(balancer, count);
    await ready(instances.length);
    const signedUp = await signUpAdmins(balancer.url, firstAdminPath, admins);
    const { id } = (await signedUp[0]?.client.documents.createActivity(sampleActivity())) ?? { id: '' };
    return {
      url: balancer.url,
      balancer,
      cluster,
      s3,
      instances,
      admins: signedUp,
      activityId: id,
      ready,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment that all instances of a site share. */
function environmentOf({ url, postgresPort }: LoadBalancer): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    TRUSTED_PROXIES: 'loopback',
    DATABASE_URL: `postgres://acolhe@127.0.0.1:${postgresPort}/acolhe`,
    DRAIN_SECONDS: String(drainSeconds),
  };
}

function createInstance(name: string, dataDir: string, environment: Record<string, string>): Instance {
  let server: ServerProcess | undefined;
  return {
    name,
    url: `http://127.0.0.1:${environment.PORT}`,
    pid: () => server?.pid ?? 0,
    isRunning: () => server?.isRunning() ?? false,
    log: () => server?.log() ?? '',
    async start() {
      server = await startServerProcess(dataDir, environment);
      return server.firstAdminPath();
    },
    stop: async () => {
      await server?.stop();
    },
    kill: async () => {
      await server?.kill();
    },
  };
}

async function readyInstances({ states }: LoadBalancer, count: number): Promise<void> {
  for (const until = Date.now() + timeoutMs; ; await wait(100)) {
    // "UP 1/2" is a server whose last check failed.
    const up = (await states()).filter(
      ({ backend, server, state }) => backend === 'ready' && server !== 'BACKEND' && state === 'UP',
    );
    if (up.length === count) return;
    if (Date.now() > until) throw new Error(`HAProxy has ${up.length} ready instances, not ${count}.`);
  }
}
