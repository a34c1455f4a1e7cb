import path from 'node:path';
import { buildApp } from './app.ts';
import { findFirstAdminToken } from './auth/first-admin.ts';
import { createAuthSecret } from './auth/secret.ts';
import { runBackupProcess, startBackupSchedule } from './backup/schedule.ts';
import { checkBeforeStart } from './check/check.ts';
import { portRefusal } from './check/port.ts';
import { warnAdmins } from './check/warnings.ts';
import type { AppContext } from './context.ts';
import { whenDatabaseResponds } from './database/away.ts';
import { cleanUp } from './database/clean-up.ts';
import { databaseKind } from './database/connect.ts';
import { deleteOldCopies } from './database/copy-before-migration.ts';
import { lockDataFolder, prepareDataFolder, rememberData } from './database/installation/data-folder.ts';
import { recordStore } from './database/installation/installation.ts';
import { announceInstance } from './database/leases.ts';
import { openDatabase } from './database/open.ts';
import { createVersionReader } from './database/versions.ts';
import { openMasterKey } from './diary/keys/master-key.ts';
import { type Environment, isLocalhost } from './environment.ts';
import { openDailyFile } from './http/daily-file.ts';
import { openUsageRecords } from './http/usage-records.ts';
import { fillAudioLengths } from './library/audio-lengths.ts';
import { createMailer } from './mail/mailer.ts';
import { deleteOldTotals } from './practice-totals/totals.ts';
import { distDir, openBuiltSite } from './site/built-site.ts';
import { createContentSource } from './site/content.ts';
import { publishAssets } from './site/release-assets.ts';
import { lockKeptFiles } from './site/site-files.ts';
import { cleanUpFiles } from './storage/clean-up.ts';
import { readAudioSeconds } from './storage/files/audio-length.ts';
import { deleteUnnamedSiteFiles } from './storage/files/files.ts';
import { openFileStore } from './storage/store/open-file-store.ts';

const stopTimeoutMs = 9_000;
const storeTimeoutMs = 4_000;
const watchMs = 1_000;
const cleaningMs = 60 * 60_000;
/** The first warning waits this long after the start, because the start makes a backup that was missed. */
const warningMs = 10 * 60_000;

/**
 * Opens the data of an installation for a program that does not listen. The caller has locked the data
 * folder, or is alone with it.
 * @throws StartError when the environment or the data prevents it; nothing has changed then
 */
export async function openContext(environment: Environment): Promise<AppContext> {
  const { isStoreNew } = await checkBeforeStart(environment, 'open');
  return prepareData(environment, isStoreNew);
}

/** Creates what a new installation lacks, and migrates the tables. The checks have allowed this. */
async function prepareData(environment: Environment, isStoreNew: boolean): Promise<AppContext> {
  const kind = databaseKind(environment);
  await prepareDataFolder(environment.dataDir, kind === 'sqlite');
  const database = await openDatabase(environment);
  if (isStoreNew) await whenDatabaseResponds(() => recordStore(database, environment));
  const readVersions = createVersionReader(database);
  const siteContent = createContentSource(database, readVersions);
  const clinicName = async () => (await siteContent.read()).content.identity.shortName;
  return {
    environment,
    database,
    databaseKind: kind,
    mailer: createMailer(environment, clinicName),
    fileStore: await openFileStore(environment),
    usageRecords: await openUsageRecords(path.join(environment.dataDir, 'usage-records')),
    securityEvents: await openDailyFile(
      path.join(environment.dataDir, 'security-events'),
      'eventos de segurança',
    ),
    authSecret: await createAuthSecret(environment),
    diaryMasterKey: await whenDatabaseResponds(() => openMasterKey(environment, database)),
    clinicName,
    readVersions,
    siteContent,
    requireSameData: rememberData(environment.dataDir, kind === 'sqlite'),
  };
}

/**
 * Starts the server in three steps: checks everything that could prevent the start, then prepares the data,
 * which includes migrations, then listens and logs the URL.
 * @returns `stop`, which asks clients to close their connections, finishes active requests, refuses new ones
 * and closes the stores
 * @throws StartError when a check refuses the start; nothing has changed then
 */
export async function startServer(environment: Environment): Promise<{ stop(): Promise<void> }> {
  // Refuses the start of a program that has not been built.
  await openBuiltSite(distDir);
  const { givePortBack, isStoreNew } = await checkBeforeStart(environment, 'start');
  // An installation on PostgreSQL needs this lock, too: each instance writes usage records into its folder.
  const unlock = lockDataFolder(environment.dataDir);
  const context = await prepareData(environment, isStoreNew);
  const { database } = context;
  const app = await buildApp(context);
  // PostgreSQL can fail over at any moment of the start, so each step waits until it responds.
  await whenDatabaseResponds(() => publishAssets(database, distDir));
  const token = await whenDatabaseResponds(() => findFirstAdminToken(context));
  const { version } = await whenDatabaseResponds(() => context.siteContent.read());
  const withdraw = await whenDatabaseResponds(() =>
    announceInstance(database, context.databaseKind, (error) => app.log.error(error)),
  );
  await givePortBack();
  await app.listen(listenOptions(environment)).catch(async (error: unknown) => {
    await withdraw();
    throw portRefusal(environment, error);
  });

  const clean = () =>
    cleanUp(database, context.databaseKind)
      .then(() => deleteOldCopies(environment.dataDir))
      .then(() => deleteOldTotals(database))
      .then(() => publishAssets(database, distDir))
      .then(() => deleteUnnamedSiteFiles(context, lockKeptFiles))
      .then(() => cleanUpFiles(context))
      .then(() => fillAudioLengths(database, (file) => readAudioSeconds(context, file)))
      .catch((error: unknown) => app.log.error(error));
  setInterval(() => void clean(), cleaningMs).unref();
  void clean();
  setInterval(() => {
    warnAdmins(context, app.log).catch((error: unknown) => app.log.error(error));
  }, warningMs).unref();

  const backupsStopped = new AbortController();
  const backups =
    environment.backup &&
    startBackupSchedule({
      database,
      backup: environment.backup,
      run: (dueAt) => runBackupProcess(dueAt, backupsStopped.signal),
      report: (error) => app.log.error(error),
    });

  console.log(`Dados em ${environment.databaseUrl ? 'PostgreSQL e ' : ''}${environment.dataDir}`);
  if (!environment.smtpUrl && !isLocalhost(environment.publicUrl))
    console.warn(
      `Sem SMTP_URL, nenhum e-mail sai: ficam em ${path.join(environment.dataDir, 'outbox')}, e quem se cadastra não recebe o link. Escreva SMTP_URL.`,
    );
  // A single call of `console.log`, so that no other output comes between the lines.
  console.log(endOfStart(environment.publicUrl, token, version > 0));

  async function stopOnce() {
    backups?.stop();
    backupsStopped.abort();
    await app.draining.run(environment.drainSeconds * 1_000);
    // Exits after a time limit, before the system kills the process.
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    // Closes the file store before that limit, so that no request waits for a store that does not respond.
    setTimeout(() => context.fileStore.close(), storeTimeoutMs).unref();
    await app.close();
    context.fileStore.close();
    await context.usageRecords.close();
    await context.securityEvents.close();
    // PostgreSQL may be unavailable, which must not prevent the stop.
    await withdraw().catch((error: unknown) => app.log.error(error));
    await database.destroy();
    unlock();
  }
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopOnce();
    return stopped;
  };
  const watch = setInterval(() => {
    try {
      context.requireSameData();
    } catch {
      clearInterval(watch);
      console.error(
        `A pasta de dados ${environment.dataDir} não é mais a que foi aberta: o servidor parou para nada se perder. Ponha-a de volta e comece de novo.`,
      );
      process.exitCode = 1;
      void stop();
    }
  }, watchMs).unref();
  return { stop };
}

/**
 * With a descriptor, Node's `listen` ignores the host. But without a host, Fastify would resolve its default
 * host, the name `localhost`.
 */
function listenOptions({ host, port, listenFd }: Environment) {
  return listenFd === undefined ? { host, port } : { fd: listenFd, host: '127.0.0.1' };
}

/** Returns the lines to print once the server has started: the URL, and the set-up steps still to do. */
function endOfStart(publicUrl: string, firstAdminToken: string | undefined, isPublished: boolean): string {
  const steps = [
    ...(firstAdminToken === undefined
      ? []
      : [
          `Abra este link, que vale uma vez, e crie a sua conta de administração: ${publicUrl}/primeiro-acesso#${firstAdminToken}`,
        ]),
    ...(isPublished ? [] : [`Escreva os dados da clínica e publique o site em ${publicUrl}/admin/site`]),
  ];
  return [`Acolhe no ar em ${publicUrl}`, ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join(
    '\n',
  );
}
