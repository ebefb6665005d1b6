import type { Scale } from './chaos.ts'

const minute = 60_000

const noFaults = {
  killRunner: 0,
  stopRunner: 0,
  killApi: 0,
  stopApi: 0,
  killTick: 0,
  stopTick: 0,
  restartPostgres: 0,
  cutConnection: 0,
  endBackend: 0,
  silenceConnection: 0,
  closeWay: 0,
}

/**
 * The sizes of the suite: that of the issue, that of a coffee break, that of `npm test`; and single kinds of faults.
 */
export const scales = {
  full: {
    failpointTimes: 0,
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
    failpointTimes: 0,
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
    failpointTimes: 1,
    faults: {
      killRunner: 3,
      stopRunner: 1,
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
    limitMs: 18_000,
    runsMax: 400,
    calmMs: 25_000,
  },
  network: {
    failpointTimes: 0,
    faults: { ...noFaults, cutConnection: 2_000, endBackend: 2_000, silenceConnection: 200, closeWay: 20 },
    pauseMs: 1_000,
    limitMs: 60 * minute,
    runsMax: 100_000,
    calmMs: 3 * minute,
  },
  failpoints: {
    faults: noFaults,
    failpointTimes: 40,
    pauseMs: 0,
    limitMs: 60 * minute,
    runsMax: 100_000,
    calmMs: 3 * minute,
  },
} as const satisfies Record<string, Scale>
