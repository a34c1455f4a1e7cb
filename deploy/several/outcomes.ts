import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One request of the test's clients. Times are those of `performance.now()`. */
export type Outcome = {
  method: string;
  path: string;
  /** 0 while there is no response, and when the connection was lost. */
  status: number;
  begun: number;
  /** 0 while the request is under way. */
  ended: number;
};

type Message = {
  request: { method: string; path: string; origin: string };
  response?: { statusCode: number };
};

/**
 * Records every request of `fetch` to one origin. Node's HTTP client publishes its requests on channels:
 * https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 */
export function recordOutcomes(origin: string): { outcomes: Outcome[]; stop(): void } {
  const outcomes: Outcome[] = [];
  const known = new WeakMap<object, Outcome>();
  const listeners: [channel: string, note: (outcome: Outcome, message: Message) => void][] = [
    [
      'undici:request:headers',
      (outcome, { response }) => {
        outcome.status = response?.statusCode ?? 0;
      },
    ],
    [
      'undici:request:trailers',
      (outcome) => {
        outcome.ended = performance.now();
      },
    ],
    [
      'undici:request:error',
      (outcome) => {
        outcome.status = 0;
        outcome.ended = performance.now();
      },
    ],
  ];
  const create = (message: unknown) => {
    const { request } = message as Message;
    if (String(request.origin) !== origin) return;
    const { method, path } = request;
    const outcome = { method, path, status: 0, begun: performance.now(), ended: 0 };
    known.set(request, outcome);
    outcomes.push(outcome);
  };
  const wrapped = listeners.map(([channel, note]) => {
    const listen = (message: unknown) => {
      const outcome = known.get((message as Message).request);
      if (outcome) note(outcome, message as Message);
    };
    return [channel, listen] as const;
  });
  subscribe('undici:request:create', create);
  for (const [channel, listen] of wrapped) subscribe(channel, listen);
  return {
    outcomes,
    stop() {
      unsubscribe('undici:request:create', create);
      for (const [channel, listen] of wrapped) unsubscribe(channel, listen);
    },
  };
}

/** Counts outcomes by status, for messages: `200 × 31, 503 × 2`. */
export function countStatuses(outcomes: readonly Outcome[]): string {
  const counts = Map.groupBy(outcomes, ({ status }) => status);
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, { length }]) => `${status === 0 ? 'lost' : status} × ${length}`)
    .join(', ');
}
