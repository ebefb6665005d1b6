import { defineConfig } from 'vitest/config'
import { LongestFirst } from './support/longest-first.ts'
import { makeRunFolder } from './support/run-folder.ts'

makeRunFolder()

const database = { globalSetup: ['tests/support/global-setup.ts'] }
const inFolders = (...names: string[]): string[] => names.map((name) => `tests/${name}/**/*.test.ts`)

/** All tests of the product. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    setupFiles: ['tests/support/each-file.ts'],
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    dangerouslyIgnoreUnhandledErrors: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Without state that one file could leave to the next: they share processes, so that each module loads once.
      { extends: true, test: { name: 'unit', isolate: false, include: inFolders('unit') } },
      {
        extends: true,
        test: {
          ...database,
          name: 'api',
          isolate: false,
          include: inFolders('api', 'db'),
          exclude: inFolders('db/large'),
        },
      },
      { extends: true, test: { ...database, name: 'service', include: inFolders('local') } },
      // The page in a browser, which all files of a worker share.
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
