import type { Scale } from './chaos.ts'

const minute = 60_000

/** The figures of the suite's three sizes: that of the issue, that of a coffee break, that of `npm test`. */
export const scales = {
  full: {
    faults: {
      killRunner: 1_000,
      stopRunner: 500,
      killApi: 200,
      stopApi: 100,
      killTick: 200,
      stopTick: 100,
      restartPostgres: 50,
      cutConnection: 2_000,
      endBackend: 2_000,
      silenceConnection: 200,
      closeWay: 50,
    },
    pauseMs: 2_000,
    limitMs: 60 * minute,
    runsMax: 100_000,
    calmMs: 5 * minute,
  },
  short: {
    faults: {
      killRunner: 40,
      stopRunner: 12,
      killApi: 10,
      stopApi: 4,
      killTick: 8,
      stopTick: 4,
      restartPostgres: 3,
      cutConnection: 100,
      endBackend: 100,
      silenceConnection: 8,
      closeWay: 4,
    },
    pauseMs: 2_000,
    limitMs: 1.7 * minute,
    runsMax: 100_000,
    calmMs: minute,
  },
  test: {
    faults: {
      killRunner: 4,
      stopRunner: 2,
      killApi: 1,
      stopApi: 1,
      killTick: 1,
      stopTick: 1,
      restartPostgres: 1,
      cutConnection: 25,
      endBackend: 25,
      silenceConnection: 2,
      closeWay: 1,
    },
    pauseMs: 1_500,
    limitMs: 15_000,
    runsMax: 60,
    calmMs: 25_000,
  },
} as const satisfies Record<string, Scale>
