import { timingSafeEqual } from 'node:crypto';

/** Compares secrets. The duration reveals whether their lengths differ, but not where their bytes differ. */
export function equalInConstantTime(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
