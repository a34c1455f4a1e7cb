import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '#server/http/errors.ts';
import type { Log } from '#server/http/log.ts';
import { equalInConstantTime } from '#server/http/tokens.ts';
import { type FirebaseHash, readFirebaseHash } from './firebase-hash.ts';
import { type ImportedHashes, noImportedHashes } from './imported-hashes.ts';
import { createScrypt, type Scrypt, type ScryptJob } from './scrypt.ts';

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/**
 * How many passwords can wait in one lane (see `Lane`). The thread hashes a full lane in about three seconds.
 */
const mostWaiting = 31;
/** The thread gets the next password while it still hashes one, so it never waits for the main thread. */
const mostInThread = 2;
const saltBytes = 16;
/**
 * How long a request waits before a full lane refuses it. The wait slows down clients that ignore
 * `Retry-After`.
 */
const refusalDelayMs = 4_000;
/** The maximum number of requests that wait to be refused. Each takes memory. */
const mostDelayed = 500;

/**
 * A queue of passwords: `known` is for users whom the server knows by a session, a mailed link, or a cookie
 * of an earlier sign-in.
 */
type Lane = 'known' | 'unknown';

/**
 * Hashes passwords with salted scrypt, one at a time, so that many sign-ins do not use every processor. Known
 * users have their own lane, which comes first, so that a flood of strangers does not lock them out.
 *
 * The first sign-in with the right password replaces an account's imported hash with a hash of this server's
 * own kind. While the database has imported hashes, every refusal computes both kinds of hash. So the time of
 * a refusal does not tell which kind an account has, or whether the account exists.
 * @param given a thread that the caller ends; without it, this function creates one, which `close()` ends
 */
export function createPasswordHashing(
  log: Log = console,
  given?: Scrypt,
  imported: ImportedHashes = noImportedHashes,
) {
  let priorityLogged = false;
  const scrypt =
    given ??
    createScrypt({
      onEnd: (err) => log.error({ err }, 'the thread that hashes passwords has ended'),
      onPriorityRefused: (reason) => {
        if (priorityLogged) return;
        priorityLogged = true;
        log.warn({ reason }, 'passwords are hashed at the usual priority: the system refused a lower one');
      },
    });
  const readyHash = new AsyncLocalStorage<string>();
  const lanes = new AsyncLocalStorage<Lane>();
  /** True during a sign-in, when Better Auth hashes a password only to refuse an unknown email address. */
  const signIns = new AsyncLocalStorage<true>();
  const waiting: Record<Lane, (() => void)[]> = { known: [], unknown: [] };
  let inThread = 0;
  let delayed = 0;
  const stopped = new AbortController();

  const hasRoom = (lane: Lane) => waiting[lane].length < mostWaiting;

  function requireRoom(lane = lanes.getStore() ?? 'unknown') {
    if (!hasRoom(lane)) throw new AppError('server/unavailable');
  }

  async function waitForRoom(lane: Lane): Promise<void> {
    if (hasRoom(lane)) return;
    if (delayed < mostDelayed) {
      delayed += 1;
      // The delay is random, so that clients whose requests arrived together do not try again together.
      // `endWaits` aborts it.
      await setTimeout(refusalDelayMs * (0.5 + Math.random()), undefined, { signal: stopped.signal }).catch(
        () => {},
      );
      delayed -= 1;
    }
    requireRoom(lane);
  }

  /**
   * @param isSecond true for the second hash of a check, which is not refused, because the check has waited
   * already
   */
  async function derive(job: ScryptJob, isSecond = false): Promise<Buffer> {
    const lane = waiting[lanes.getStore() ?? 'unknown'];
    if (!isSecond) requireRoom();
    if (inThread < mostInThread) inThread += 1;
    else await new Promise<void>((resolve) => (isSecond ? lane.unshift(resolve) : lane.push(resolve)));
    try {
      return Buffer.from(await scrypt.derive(job));
    } finally {
      const next = waiting.known.shift() ?? waiting.unknown.shift();
      // The next waiting job takes over this place in the thread, so that no newer job can take it.
      if (next) next();
      else inThread -= 1;
    }
  }

  async function hash(password: string, isSecond = false): Promise<string> {
    const salt = randomBytes(saltBytes).toString('hex');
    return `${salt}:${(await derive({ password, salt }, isSecond)).toString('hex')}`;
  }

  async function verifyOwn(hash: string, password: string): Promise<boolean> {
    const [salt = '', key = ''] = hash.split(':');
    const expected = Buffer.from(key, 'hex');
    const given = await derive({ password, salt });
    if (equalInConstantTime(given, expected)) return true;
    await deriveFirebaseInVain(password);
    return false;
  }

  async function verifyImported(
    stored: string,
    { costLog2, rounds, salt, keystream }: FirebaseHash,
    password: string,
  ): Promise<boolean> {
    const given = await derive({ password, salt, firebase: { costLog2, rounds } });
    const isRight = equalInConstantTime(given, keystream);
    const own = await hash(password, true);
    if (isRight)
      await imported.replace(stored, own).catch((err: unknown) => {
        // The password was right, so the sign-in goes on. The next sign-in tries again to replace the hash.
        log.warn({ err }, 'an imported password could not be replaced');
      });
    return isRight;
  }

  /**
   * Computes a hash like the imported ones and discards it, so that the refusal of a password takes the same
   * time for both kinds of hash. If the database has no imported hashes, this function does nothing.
   */
  async function deriveFirebaseInVain(password: string): Promise<void> {
    const cost = await imported.findCost();
    if (cost) await derive({ password, salt: randomBytes(saltBytes), firebase: cost }, true);
  }

  return {
    /**
     * Waits about four seconds if the lane is full, and then refuses if it is still full. Call this before
     * any other work.
     * @throws AppError `server/unavailable`
     */
    waitForRoom,

    /** Ends every wait of `waitForRoom`, so that the stop of the server is not delayed. */
    endWaits: () => stopped.abort(),

    /** Runs `work`. Every password that `work` hashes waits in this lane. */
    inLane: <Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> => lanes.run(lane, work),

    /** @returns `salt:key` in hexadecimal. @throws AppError `server/unavailable` when the lane is full */
    async hash(password: string) {
      const made = readyHash.getStore() ?? (await hash(password));
      if (signIns.getStore()) await deriveFirebaseInVain(password);
      return made;
    },

    /** @throws AppError `server/unavailable` when the lane is full */
    async verify({ hash, password }: { hash: string; password: string }): Promise<boolean> {
      const firebase = readFirebaseHash(hash);
      return firebase ? verifyImported(hash, firebase, password) : verifyOwn(hash, password);
    },

    /** Runs a sign-in. Refusing an unknown email address takes as long as refusing a wrong password. */
    whileSigningIn: <Result>(work: () => Promise<Result>): Promise<Result> => signIns.run(true, work),

    /**
     * Hashes the password and then runs `work`, so that a database transaction in `work` does not wait for
     * the hash.
     */
    async withReadyHash<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
      return readyHash.run(await hash(password), work);
    },

    /** Runs `work` and uses `ready` as the hash of every password in it. */
    withHash: <Result>(ready: string, work: () => Promise<Result>): Promise<Result> =>
      readyHash.run(ready, work),

    async close(): Promise<void> {
      if (!given) await scrypt.end();
    },
  };
}
