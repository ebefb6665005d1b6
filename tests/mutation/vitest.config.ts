import { defineConfig } from 'vitest/config'

/**
 * The tests that mutation testing runs again and again: the quick ones of the pure parts. Instrumented code is slow, so
 * those that bound a time are left out: the score is a lower bound.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/unit/{definition,engine}/**/*.test.ts'],
    testNamePattern: /^(?!.*(within half a second|megabyte))/,
    pool: 'threads',
    testTimeout: 20_000,
  },
})
