import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares digests, so that the time depends neither on the length nor on the position of the first difference. */
export function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}
