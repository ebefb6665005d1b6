import { defineConfig } from 'vitest/config'

/**
 * The tests that mutation testing runs again and again: the quick ones of the pure parts. Instrumented code is slow, so
 * those that bound a time, and the fuzzing ones that come after them, are left out: the score is a lower bound.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/unit/{definition,engine}/**/*.test.ts'],
    exclude: ['tests/unit/definition/{never-throws,hostile}.test.ts'],
    testNamePattern: /^(?!.*(within half a second|megabyte))/,
    pool: 'threads',
    testTimeout: 20_000,
  },
})
