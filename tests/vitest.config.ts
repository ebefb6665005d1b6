import { defineConfig } from 'vitest/config'

/** All tests of the product. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/tidy/**', 'tests/bench/**'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
})
