import { defineConfig } from 'vitest/config'

/**
 * The tests that mutation testing runs repeatedly: the quick ones of the pure parts. Instrumented code is slow, so
 * tests that bound a time are left out, by their titles: the score is a lower bound.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/unit/{definition,engine}/**/*.test.ts'],
    testNamePattern: /^(?!.*(within (half )?a second|in (linear )?time\b|megabyte|mebibyte))/,
    pool: 'threads',
    testTimeout: 20_000,
  },
})
