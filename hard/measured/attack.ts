/** Measures the responses that other visitors get, at rest and during an attack. */
import { keepProcessorsAwake } from '#bench/awake.ts';
import { percentile } from '#bench/measure.ts';
import { openReader } from '#bench/reader.ts';

/** Milliseconds between two requests of the visitor. */
const pauseMs = 2;

/** Reads the home page on one connection until `during` ends. @returns the p99 in milliseconds */
export async function readHomePage(url: string, during: Promise<unknown>): Promise<number> {
  const awake = keepProcessorsAwake();
  const reader = await openReader(`${url}/`, { 'accept-encoding': 'br' });
  const times: number[] = [];
  let ended = false;
  const end = during.finally(() => {
    ended = true;
  });
  try {
    while (!ended) {
      times.push(await reader.read());
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    reader.close();
    awake.stop();
  }
  await end;
  return percentile(times, 0.99);
}
