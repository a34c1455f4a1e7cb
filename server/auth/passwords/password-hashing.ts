import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import { AppError } from '#server/http/errors.ts';
import type { Log } from '#server/http/log.ts';
import { equalInConstantTime } from '#server/http/tokens.ts';
import { type FirebaseHash, readFirebaseHash } from './firebase-hash.ts';
import { type ImportedHashes, noImportedHashes } from './imported-hashes.ts';
import { createScrypt, type Scrypt, type ScryptJob } from './scrypt.ts';

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/**
 * How many passwords of one priority can wait. The thread hashes that many in about three seconds.
 */
const mostWaiting = 31;
/** The thread gets the next password while it still hashes one, so it never waits for the main thread. */
const mostInThread = 2;
const saltBytes = 16;
/**
 * How long a request waits before a full queue refuses it. The wait slows down clients that ignore
 * `Retry-After`.
 */
const refusalDelayMs = 4_000;
/** The maximum number of requests that wait to be refused. Each takes memory. */
const mostDelayed = 500;

/**
 * The priority of `known` is for users whom the server knows by a session, a mailed link, or a cookie of an
 * earlier sign-in.
 */
type Priority = 'known' | 'unknown';
const priorities: Record<Priority, number> = { unknown: 0, known: 2 };

/** How an operation hashes its passwords. Better Auth calls `hash` and `verify` with the password alone. */
type Handling = {
  priority?: Priority;
  /** True during a sign-in, when Better Auth hashes a password only to refuse an unknown email address. */
  isSignIn?: boolean;
  /** The hash of every password of the operation, so that a database transaction does not wait for it. */
  readyHash?: string;
  /** True if the user has already proved who they are: `verify` then accepts any password. */
  proved?: boolean;
};

/**
 * Hashes passwords with salted scrypt, one at a time, so that many sign-ins do not use every processor. The
 * passwords of known users come first, so that a flood of strangers does not lock them out.
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
  const handling = new AsyncLocalStorage<Handling>();
  const queue = new PQueue({ concurrency: mostInThread });
  let delayed = 0;
  const stopped = new AbortController();

  const currentPriority = () => handling.getStore()?.priority ?? 'unknown';
  const hasSpace = (priority: Priority) => queue.sizeBy({ priority: priorities[priority] }) < mostWaiting;

  function requireSpace(priority: Priority) {
    if (!hasSpace(priority)) throw new AppError('server/unavailable');
  }

  async function waitForSpace(priority: Priority): Promise<void> {
    if (hasSpace(priority)) return;
    if (delayed < mostDelayed) {
      delayed += 1;
      // The delay is random, so that clients whose requests arrived together do not try again together.
      // `endWaits` aborts it.
      await setTimeout(refusalDelayMs * (0.5 + Math.random()), undefined, { signal: stopped.signal }).catch(
        () => {},
      );
      delayed -= 1;
    }
    requireSpace(priority);
  }

  /**
   * @param isSecond true for the second hash of a check, which is not refused, and comes before other checks
   * of its priority, because the check has waited already
   */
  async function derive(job: ScryptJob, isSecond = false): Promise<Buffer> {
    const current = currentPriority();
    if (!isSecond) requireSpace(current);
    const priority = priorities[current] + (isSecond ? 1 : 0);
    return Buffer.from(await queue.add(() => scrypt.derive(job), { priority }));
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
     * Waits about four seconds if the queue is full, and then refuses if it is still full. Call this before
     * any other work.
     * @throws AppError `server/unavailable`
     */
    waitForSpace,

    /** Ends every wait of `waitForSpace`, so that the stop of the server is not delayed. */
    endWaits: () => stopped.abort(),

    /** Runs `work`, and hashes its passwords in this way. */
    handle: <Result>(how: Handling, work: () => Promise<Result>): Promise<Result> => handling.run(how, work),

    /** @returns `salt:key` in hexadecimal. @throws AppError `server/unavailable` when the queue is full */
    async hash(password: string) {
      const { readyHash, isSignIn } = handling.getStore() ?? {};
      const made = readyHash ?? (await hash(password));
      // Refusing an unknown email address must take as long as refusing a wrong password.
      if (isSignIn) await deriveFirebaseInVain(password);
      return made;
    },

    /** @throws AppError `server/unavailable` when the queue is full */
    async verify({ hash, password }: { hash: string; password: string }): Promise<boolean> {
      if (handling.getStore()?.proved) return true;
      const firebase = readFirebaseHash(hash);
      return firebase ? verifyImported(hash, firebase, password) : verifyOwn(hash, password);
    },

    async close(): Promise<void> {
      if (!given) await scrypt.end();
    },
  };
}
