const lookMs = 500;
/** A question this old is a reason to find out whether the server is there. */
const suspiciousMs = 3_000;
/** The longest wait for an answer. Its connection is closed: it may lead nowhere. */
const limitMs = 15_000;
/** During an outage a new probe begins this often: one that began just before the end may never be answered. */
const probeEveryMs = 1_000;
/** An outage is over once nothing has failed for so long. */
const quietMs = 5_000;

/** A question without an answer yet, or the wait for a connection. */
type Waiting = { begun: number; limited: boolean; cut: () => void };

/**
 * Watches how long PostgreSQL or S3 takes to answer. A question over 15 s loses its connection. After 3 s
 * the server is asked on a new connection; when neither that nor any question is answered, all waits end, and
 * `isAway` is true until it answers again: no request waits for a frozen server or a network that drops packets.
 * @param name for the operator
 * @param isLost whether an error means that the server could not be reached; every other error is an answer
 * @param probe connects anew and asks; rejects when there is no answer in time
 * @param cutAll closes the connections that nothing waits for
 */
export function watchAnswers({
  name,
  isLost,
  probe,
  cutAll,
}: {
  name: string;
  isLost: (error: unknown) => boolean;
  probe: () => Promise<unknown>;
  cutAll: () => void;
}) {
  /** Oldest first. */
  const waiting = new Set<Waiting>();
  let answers = 0;
  let away = false;
  let probes = 0;
  let probedAt = 0;
  /** When the last failure of the present outage was; 0 without an outage. */
  let failedAt = 0;
  let stopped = false;
  const timer = setInterval(look, lookMs).unref();

  function look() {
    const now = performance.now();
    let suspicious = false;
    for (const { begun, limited, cut } of waiting) {
      if (now - begun < suspiciousMs) break;
      suspicious = true;
      if (limited && now - begun > limitMs) cut();
    }
    const due = away ? probeEveryMs : suspiciousMs;
    if (now - probedAt >= due && (away || (suspicious && probes === 0))) void check();
    if (failedAt > 0 && !away && now - failedAt > quietMs && waiting.size === 0) {
      failedAt = 0;
      console.warn(`${name} voltou a responder.`);
    }
  }

  async function check() {
    probes += 1;
    probedAt = performance.now();
    const before = answers;
    try {
      await probe();
      answers += 1;
      // A connection that was begun during the outage may wait for an answer that was dropped.
      if (away) cutAll();
      away = false;
    } catch (error) {
      away = answers === before;
      if (away) {
        report(error);
        for (const { cut } of waiting) cut();
        cutAll();
      }
    }
    probes -= 1;
  }

  /** Says it on the console, once in an outage. */
  function report(error: unknown) {
    if (failedAt === 0 && !stopped)
      console.warn(`Falha na conexão com ${name}: ${error instanceof Error ? error.message : error}`);
    failedAt = performance.now();
  }

  return {
    isAway: () => away,
    report,
    /** @param cut ends the wait for the work, with its connection */
    async watch<Result>(work: () => Promise<Result>, cut: () => void, limited = true): Promise<Result> {
      const entry = { begun: performance.now(), limited, cut };
      waiting.add(entry);
      try {
        const result = await work();
        answers += 1;
        return result;
      } catch (error) {
        if (isLost(error)) report(error);
        else answers += 1;
        throw error;
      } finally {
        waiting.delete(entry);
      }
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
