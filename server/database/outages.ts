const lookMs = 500;
/** After this time without a response, a probe checks whether PostgreSQL or S3 is reachable. */
const suspiciousMs = 3_000;
/** After this time without a response, the connection is closed, because it may be dead. */
const limitMs = 15_000;
/** The interval of probes in an outage. A probe starts even if an earlier one has no response yet. */
const probeEveryMs = 1_000;
/** An outage is over after this time without a failure. */
const quietMs = 5_000;

/** A query that has no response yet, or a wait for a connection. */
type Waiting = { begun: number; limited: boolean; cut: () => void };

/**
 * Watches how long PostgreSQL or S3 takes to respond. After 15 s, work loses its connection, unless `watch`
 * got false for `limited`. After 3 s a probe checks the server on a new connection. If neither the probe nor
 * any other work gets a response, all pending work fails, and `isAway` is true until a probe gets a response.
 * So no request waits long for a frozen server or a network that drops packets.
 * @param name the server's name in log messages
 * @param isLost true if an error means that the server could not be reached; every other error counts as a
 * response
 * @param probe connects and sends a query; rejects when there is no response in time
 * @param cutAll closes the idle connections
 */
export function detectOutages({
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
  /** Pending work, oldest first. */
  const waiting = new Set<Waiting>();
  let responses = 0;
  let away = false;
  let probes = 0;
  let probedAt = 0;
  /** The time of the last failure of the current outage; 0 without an outage. */
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
    const before = responses;
    try {
      await probe();
      responses += 1;
      // A connection from the time of the outage may wait for a response that the network has dropped.
      if (away) cutAll();
      away = false;
    } catch (error) {
      away = responses === before;
      if (away) {
        report(error);
        for (const { cut } of waiting) cut();
        cutAll();
      }
    }
    probes -= 1;
  }

  /** Logs the error to the console, once per outage. */
  function report(error: unknown) {
    if (failedAt === 0 && !stopped)
      console.warn(`Falha na conexão com ${name}: ${error instanceof Error ? error.message : error}`);
    failedAt = performance.now();
  }

  return {
    isAway: () => away,
    report,
    /** @param cut makes `work` fail, usually by closing its connection */
    async watch<Result>(work: () => Promise<Result>, cut: () => void, limited = true): Promise<Result> {
      const entry = { begun: performance.now(), limited, cut };
      waiting.add(entry);
      try {
        const result = await work();
        responses += 1;
        return result;
      } catch (error) {
        if (isLost(error)) report(error);
        else responses += 1;
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
