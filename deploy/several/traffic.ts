import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { adminAccount, recordWrites } from '#server/testing/recorded-writes.ts';
import { type TestUser, visitorAt } from '#server/testing/server.ts';
import { mp3, sha256Of } from '#server/testing/storage.ts';
import { type Outcome, recordOutcomes } from './outcomes.ts';
import type { Site } from './site.ts';

const writers = 4;
/** The pause of a client after a step. Without it, clients would use processor time that the site needs. */
const pauseMs = 100;
/** The wait of a client after a failure. */
const failedMs = 200;
/** Several chunks, so that an upload takes several requests. */
const uploadBytes = 2_000_000;
/** The longest time that `stop` waits until every client has ended its last step. */
const mostMsToStop = 60_000;

/** Clients that write, upload, sign in and read, and what the site has acknowledged to them. */
export type Traffic = {
  /** All requests so far, oldest first. */
  outcomes: readonly Outcome[];
  /** Responses that contradict an earlier one. The test asserts that there are none. */
  wrong: readonly string[];
  readonly acknowledged: number;
  readonly files: number;
  /**
   * Waits until every client of these kinds has succeeded with a step that began after this call.
   * @param kinds the prefix of the names of these kinds; all kinds by default
   */
  flows(kinds?: string, timeoutMs?: number): Promise<void>;
  /** Ends the clients, then checks that everything acknowledged is there. */
  stop(): Promise<void>;
  /** Ends the clients without a check, after a failed test. */
  abandon(): void;
};

/** Failures that a client may see while a part of the site is unavailable. */
const passing = ['server/unavailable', 'client/offline', 'client/unreadable'];
const isPassing = (error: unknown) =>
  (error instanceof ClientError && passing.includes(error.code)) || error instanceof TypeError;

export function startTraffic(site: Site): Traffic {
  const { outcomes, stop: stopRecording } = recordOutcomes(site.url);
  const wrong: string[] = [];
  const writes = recordWrites();
  const digests = new Map<string, string>();
  const successes = new Map<string, number>();
  let over = false;
  let uploading: { cancel(): boolean } | undefined;

  /** Repeats a step until `over`, and waits after a failure. A failure not in `passing` counts as wrong. */
  async function repeat(kind: string, step: (turn: number) => Promise<void>, pause = pauseMs) {
    successes.set(kind, 0);
    for (let turn = 0; !over; turn += 1) {
      const begun = performance.now();
      try {
        await step(turn);
        successes.set(kind, begun);
        await wait(pause);
      } catch (error) {
        if (!isPassing(error)) wrong.push(`${kind}: ${error instanceof Error ? error.stack : error}`);
        await wait(failedMs);
      }
    }
  }

  const [favouriteUser, uploader, reader, ...rest] = site.admins as [
    TestUser,
    TestUser,
    TestUser,
    ...TestUser[],
  ];
  const clients = [
    ...rest.slice(0, writers).map((writer, index) =>
      repeat(`writer ${index}`, async () => {
        const begun = performance.now();
        await writes.write(writer, passing, async () => {
          successes.set(`writer ${index}`, begun);
          await wait(pauseMs);
          return 'enough' as const;
        });
      }),
    ),
    repeat('favourites', (turn) => useFavourites(favouriteUser, site.activityId, turn)),
    repeat('sign-in', (turn) => signInAndOut(site.url, turn), 8_000),
    repeat('upload', async (turn) => {
      const name = `postAudios/mind/${crypto.randomUUID()}`;
      const content = mp3(uploadBytes + turn, turn);
      const storage = await uploader.client.storage();
      const task = storage.upload(name, new Blob([content], { type: 'audio/mpeg' }));
      uploading = task;
      await task;
      digests.set(name, sha256Of(content));
    }),
    repeat('list', createListReader(site.url, wrong)),
    repeat('page', (turn) => readPage(site.url + (['/', '/practices', '/about'][turn % 3] ?? '/'))),
  ];

  function abandon() {
    over = true;
    uploading?.cancel();
    stopRecording();
  }

  return {
    outcomes,
    wrong,
    abandon,
    get acknowledged() {
      return writes.count;
    },
    get files() {
      return digests.size;
    },
    async flows(kinds = '', timeoutMs = 60_000) {
      const since = performance.now();
      for (;;) {
        const missing = [...successes]
          .filter(([kind, at]) => kind.startsWith(kinds) && at < since)
          .map(([kind]) => kind);
        if (missing.length === 0) return;
        if (performance.now() - since > timeoutMs)
          throw new Error(`No success of ${missing.join(', ')}. ${wrong.join('\n')}`);
        await wait(20);
      }
    },
    async stop() {
      over = true;
      const tooLate = new AbortController();
      await Promise.race([
        Promise.all(clients),
        wait(mostMsToStop, undefined, { signal: tooLate.signal }).then(() => {
          abandon();
          throw new Error(`The clients did not end. ${wrong.join('\n')}`);
        }),
      ]).finally(() => tooLate.abort());
      stopRecording();
      await writes.assertKept(reader);
      const storage = await uploader.client.storage();
      for (const [name, digest] of digests) {
        const file = await fetch(site.url + (await storage.getDownloadUrl(name)));
        assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), digest, name);
      }
    },
  };
}

/** Adds a practice to the favourites or removes it, and reads the change back from any instance. */
async function useFavourites({ client }: TestUser, id: string, turn: number) {
  const keeps = turn % 2 === 0;
  if (keeps) await client.documents.keepFavourite(id);
  else await client.documents.removeFavourite(id);
  const { documents } = await client.documents.getFavourites();
  assert.equal(
    documents.some((one) => one.id === id),
    keeps,
    'the favourites are those of the last change',
  );
}

/** Signs in, uses the session, signs out, and checks that the session has ended. Any instance may respond. */
async function signInAndOut(url: string, turn: number) {
  const visitor = visitorAt(url, url);
  const { email, password } = adminAccount(turn % 3);
  await visitor.client.auth.signIn({ email, password });
  const sessionOf = async () => {
    const response = await visitor.fetch(paths.auth.session);
    const body = (await response.json()) as unknown;
    if (response.status === 503) throw new TypeError('503');
    return body;
  };
  assert.match(JSON.stringify(await sessionOf()), new RegExp(email), 'the new session is valid everywhere');
  await visitor.client.auth.signOut();
  assert.equal(await sessionOf(), null, 'the session is over everywhere');
}

/** Reads a list again and again. Its version must never decrease. */
function createListReader(url: string, wrong: string[]) {
  let newest = 0;
  return async () => {
    const response = await fetch(url + paths.documents.activities('mindActsList'));
    await response.arrayBuffer();
    if (!response.ok) throw new TypeError(`${response.status}`);
    const version = Number(response.headers.get('etag')?.replaceAll(/\D/g, ''));
    if (version < newest) wrong.push(`the list went from version ${newest} back to ${version}`);
    newest = version;
  };
}

async function readPage(url: string) {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status === 503) throw new TypeError('503');
  assert.equal(response.status, 200, url);
  assert.match(text, /<\/html>\s*$/, 'the page is complete');
}
