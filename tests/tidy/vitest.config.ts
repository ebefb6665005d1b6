import { defineConfig } from 'vitest/config'

/** The tidy tests alone: they read files, need no database, and take about a second. Part of `npm run check`. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/tidy/**/*.test.ts'],
  },
})
