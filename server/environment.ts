import { isIP } from 'node:net';
import path from 'node:path';
import { limits } from '#contract/limits.ts';
import { type BackupSettings, readBackupSettings } from './environment-backup.ts';
import {
  readFlag,
  readMegabytes,
  readS3,
  readSecret,
  readUrl,
  type S3Settings,
  StartError,
} from './environment-values.ts';
import { readListeningSocket } from './service-manager.ts';

export { StartError };

/** The configuration from environment variables. Only this file reads process.env in the server. */
export type Environment = {
  port: number;
  host: string;
  /** The file descriptor of the listening socket, if systemd passes one. It replaces `host` and `port`. */
  listenFd: number | undefined;
  /** The socket on which systemd waits for the message that the server is ready. */
  notifySocket: string | undefined;
  /** Scheme, host and port of the site's public URL, without a slash at the end. */
  publicUrl: string;
  /** Absolute path of the data folder, for all persistent data that is not in PostgreSQL or S3. */
  dataDir: string;
  /** A PostgreSQL URL. When absent, the database is SQLite in the data folder. */
  databaseUrl: string | undefined;
  /** The maximum number of simultaneous connections to PostgreSQL. */
  databasePool: number;
  /** The bucket for files. When absent, files are in the data folder. */
  s3: S3Settings | undefined;
  /** Where and when backups are made; `undefined` when neither BACKUP_DIR nor BACKUP_S3_* is set. */
  backup: BackupSettings | undefined;
  /** The largest sizes of files, and of all files together. */
  fileLimits: {
    imageBytes: number;
    audioBytes: number;
    profilePictureBytes: number;
    quotaBytes: number;
    /** The limit for all files of one account. It does not apply to admins. */
    accountQuotaBytes: number;
  };
  /** When absent, mail is written to the data folder's `outbox`. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The sender's name of mails that must not tell what the site is about. */
  reminderFromName: string;
  /** True if `/sw.js` must be a worker that removes itself from the devices that have one. */
  removesServiceWorker: boolean;
  /** Proxies whose `X-Forwarded-*` headers are trusted; none when empty. */
  trustedProxies: string[];
  /** When absent, the server generates one and keeps it in the data folder. */
  authSecret: string | undefined;
  /** Undefined to keep the master key of the diaries in the data folder. */
  diaryKey: string | undefined;
  /** The key that replaces `diaryKey`, for `npm run diary-key -- rotate`. */
  nextDiaryKey: string | undefined;
  /**
   * True if only accounts with a verified email address can be used. The response to a sign-up is then the
   * same for new and taken email addresses. The default is true for a published site with SMTP_URL.
   */
  requireVerifiedEmail: boolean;
  /** Sign-in with Google; absent without a client id. */
  google: { clientId: string; clientSecret: string; discoveryUrl: string } | undefined;
  /** The work that an app check gives a browser: PBKDF2 iterations for each of about two hundred keys. */
  appCheckCost: number;
  logLevel: (typeof logLevels)[number];
  /** How long the server continues to serve after SIGTERM, so that clients can close their connections. */
  drainSeconds: number;
  /** The token for `/metrics`; without it the route responds with 404. */
  metricsToken: string | undefined;
};

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const defaultDatabasePool = 10;
/**
 * Enough for two of the largest profile pictures, with the versions in which a picture is served: the current
 * picture, and the one that replaces it.
 */
const defaultAccountQuotaBytes = 50_000_000;

/**
 * Reads and checks the environment.
 * @throws StartError when a value is wrong
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const read = (name: string) => env[name]?.trim() || undefined;
  const port = readPort(read('PORT'));
  const publicUrl = readPublicUrl(read('PUBLIC_URL'), port);
  const smtpUrl = readUrl('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:']);
  const isPublished = !isLocalhost(publicUrl);
  const dataDir = path.resolve(read('DATA_DIR') ?? 'data');
  return {
    port,
    host: read('HOST') ?? 'localhost',
    listenFd: readListeningSocket(env),
    notifySocket: env.NOTIFY_SOCKET,
    publicUrl,
    dataDir,
    databaseUrl: readUrl('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:']),
    databasePool: readDatabasePool(read('DATABASE_POOL')),
    s3: readS3(read, 'S3_', 'nenhum, para guardar os arquivos em DATA_DIR'),
    backup: readBackupSettings(read, dataDir),
    fileLimits: {
      imageBytes: readMegabytes('MAX_IMAGE_MB', read('MAX_IMAGE_MB'), limits.imageMaxBytes),
      audioBytes: readMegabytes('MAX_AUDIO_MB', read('MAX_AUDIO_MB'), limits.audioMaxBytes),
      profilePictureBytes: readMegabytes(
        'MAX_PROFILE_PICTURE_MB',
        read('MAX_PROFILE_PICTURE_MB'),
        limits.profilePictureMaxBytes,
      ),
      quotaBytes: readMegabytes('FILES_QUOTA_MB', read('FILES_QUOTA_MB'), Number.POSITIVE_INFINITY),
      accountQuotaBytes: readMegabytes(
        'ACCOUNT_QUOTA_MB',
        read('ACCOUNT_QUOTA_MB'),
        defaultAccountQuotaBytes,
      ),
    },
    smtpUrl,
    mailFrom: readMailFrom(read('MAIL_FROM')),
    reminderFromName: readReminderFromName(read('REMINDER_FROM_NAME')),
    removesServiceWorker: readRemoval(read('SERVICE_WORKER')),
    trustedProxies: readTrustedProxies(read('TRUSTED_PROXIES'), publicUrl),
    authSecret: readSecret('AUTH_SECRET', read('AUTH_SECRET')),
    diaryKey: readSecret('DIARY_KEY', read('DIARY_KEY')),
    nextDiaryKey: readSecret('DIARY_KEY_NEXT', read('DIARY_KEY_NEXT')),
    requireVerifiedEmail: readFlag(
      'REQUIRE_VERIFIED_EMAIL',
      read('REQUIRE_VERIFIED_EMAIL'),
      isPublished && smtpUrl !== undefined,
    ),
    google: readGoogle(read('GOOGLE_CLIENT_ID'), read('GOOGLE_CLIENT_SECRET'), read('GOOGLE_DISCOVERY_URL')),
    appCheckCost: readAppCheckCost(read('APP_CHECK_COST')),
    logLevel: readLogLevel(read('LOG_LEVEL')),
    drainSeconds: readDrainSeconds(read('DRAIN_SECONDS')),
    metricsToken: readSecret('METRICS_TOKEN', read('METRICS_TOKEN')),
  };
}

/** True if `publicUrl` names this machine. Only such a site can use http. */
export function isLocalhost(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

function readPort(value: string | undefined): number {
  const port = Number(value ?? 3000);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT vale "${value}": escreva um número de 0 a 65535, como PORT=3000.`);
}

function readPublicUrl(value: string | undefined, port: number): string {
  if (value === undefined) return `http://localhost:${port}`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const complaint = `PUBLIC_URL vale "${value}": escreva só o início do endereço, como PUBLIC_URL=https://clinica.com.br.`;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new StartError(complaint);
  if (url.pathname !== '/' || url.search || url.hash || url.username) throw new StartError(complaint);
  if (url.protocol === 'http:' && !isLocalhost(url.origin)) {
    throw new StartError(
      `PUBLIC_URL vale "${value}": só localhost pode ficar sem https; escreva https://${url.host}.`,
    );
  }
  return url.origin;
}

const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal']);

function readTrustedProxies(value = '', publicUrl: string): string[] {
  const proxies = value.split(/[\s,]+/).filter((one) => one !== '');
  const wrong = proxies.find((one) => !networkNames.has(one) && !isAddressOrNetwork(one));
  if (wrong !== undefined) {
    throw new StartError(
      `TRUSTED_PROXIES contém "${wrong}": escreva endereços ou redes, como TRUSTED_PROXIES=10.0.0.1,10.1.0.0/16, ou loopback.`,
    );
  }
  // This server never terminates TLS, so an https URL means that there is a proxy. If the server does not
  // trust the proxy, all users share one rate limit, and the usage records contain the proxy's IP address.
  if (proxies.length === 0 && publicUrl.startsWith('https:') && !isLocalhost(publicUrl)) {
    throw new StartError(
      `PUBLIC_URL vale "${publicUrl}" e TRUSTED_PROXIES está vazio: escreva o endereço do proxy que recebe as conexões https, como TRUSTED_PROXIES=127.0.0.1 quando ele está nesta máquina.`,
    );
  }
  return proxies;
}

/** True if Fastify accepts `text` as a proxy: an IP address, or a network whose prefix length is not 0. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

function readDatabasePool(value: string | undefined): number {
  const connections = Number(value ?? defaultDatabasePool);
  if (Number.isInteger(connections) && connections >= 1 && connections <= 1_000) return connections;
  throw new StartError(
    `DATABASE_POOL vale "${value}": escreva quantas conexões o PostgreSQL aceita deste servidor, de 1 a 1000, como DATABASE_POOL=10.`,
  );
}

function readMailFrom(value: string | undefined): string {
  if (value === undefined) return 'nao-responda@localhost';
  if (!/[\r\n]/.test(value) && /[^\s@<>]@[^\s@<>]+>?$/.test(value)) return value;
  throw new StartError(
    `MAIL_FROM vale "${value}": escreva um endereço, como MAIL_FROM=contato@clinica.com.br.`,
  );
}

function readReminderFromName(value = 'Lembrete'): string {
  if (/^[\p{L}\p{M}\p{N}'’ -]{1,80}$/u.test(value)) return value;
  throw new StartError(
    `REMINDER_FROM_NAME vale "${value}": escreva um nome com até 80 letras, como REMINDER_FROM_NAME=Lembrete.`,
  );
}

function readRemoval(value: string | undefined): boolean {
  if (value === undefined || value === 'remove') return value !== undefined;
  throw new StartError(`SERVICE_WORKER vale "${value}": apague a linha, ou escreva SERVICE_WORKER=remove.`);
}

function readGoogle(
  clientId: string | undefined,
  clientSecret: string | undefined,
  discoveryUrl = 'https://accounts.google.com/.well-known/openid-configuration',
): Environment['google'] {
  if (clientId === undefined) return undefined;
  if (clientSecret === undefined) {
    throw new StartError(
      'GOOGLE_CLIENT_SECRET está vazio: escreva o segredo que acompanha GOOGLE_CLIENT_ID.',
    );
  }
  readUrl('GOOGLE_DISCOVERY_URL', discoveryUrl, ['https:', 'http:']);
  return { clientId, clientSecret, discoveryUrl };
}

function readAppCheckCost(value: string | undefined): number {
  const cost = Number(value ?? 2_000);
  if (Number.isInteger(cost) && cost >= 1 && cost <= 1_000_000) return cost;
  throw new StartError(
    `APP_CHECK_COST vale "${value}": escreva um número de 1 a 1000000, como APP_CHECK_COST=2000.`,
  );
}

function readDrainSeconds(value: string | undefined): number {
  const seconds = Number(value ?? 1);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= 60) return seconds;
  throw new StartError(
    `DRAIN_SECONDS vale "${value}": escreva um número de segundos, de 0 a 60, como DRAIN_SECONDS=5.`,
  );
}

function readLogLevel(value: string | undefined): Environment['logLevel'] {
  const level = logLevels.find((known) => known === (value ?? 'info'));
  if (level) return level;
  throw new StartError(`LOG_LEVEL vale "${value}": escreva um destes: ${logLevels.join(', ')}.`);
}

/** Returns this process's environment with some variables changed, for a child process. */
export const childEnvironment = (changes: Record<string, string>) => ({ ...process.env, ...changes });

/** Returns the origins that may send changes: `publicUrl` or, if that is on localhost, all loopback names. */
export function allowedOrigins(publicUrl: string): ReadonlySet<string> {
  if (!isLocalhost(publicUrl)) return new Set([publicUrl]);
  const { protocol, port } = new URL(publicUrl);
  const suffix = port && `:${port}`;
  return new Set(['localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${suffix}`));
}
