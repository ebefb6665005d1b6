import { defineConfig } from 'vitest/config'

const database = { globalSetup: ['tests/support/global-setup.ts'] }
const inFolders = (...names: string[]): string[] => names.map((name) => `tests/${name}/**/*.test.ts`)

/** All tests of the product, from the fastest to the slowest. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      // Without a database, and without state that one file could leave to the next: they share a process.
      { extends: true, test: { name: 'unit', isolate: false, include: inFolders('unit') } },
      {
        extends: true,
        test: {
          ...database,
          name: 'service',
          include: inFolders('api', 'db', 'local'),
          exclude: inFolders('db/large'),
        },
      },
      // The page in a browser, which serves all files of a worker.
      { extends: true, test: { ...database, name: 'web', isolate: false, include: inFolders('web') } },
      // Whole processes, real peers, attacks and large tables.
      {
        extends: true,
        test: {
          ...database,
          name: 'system',
          include: inFolders('executors', 'e2e', 'chaos', 'hostile', 'db/large'),
        },
      },
    ],
  },
})
