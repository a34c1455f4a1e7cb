import { timingSafeEqual } from 'node:crypto';

/** Compares secrets. The time does not depend on where they differ, only on whether their lengths do. */
export function equalInConstantTime(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
