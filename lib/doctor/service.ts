import { brokenInvariants } from '#lib/runs/counts/broken-invariants.ts'
import { longestUnclaimed } from '#lib/runs/claim/longest-unclaimed.ts'
import { lastTick } from '#lib/tick/last-tick.ts'
import { listWorkers } from '#lib/workers/list-workers.ts'
import { fail, ok, warn, type Check, type ServiceView } from './check.ts'

/** External clocks often tick once a minute. */
const tickMsMax = 90_000
const shownMax = 5
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

export const tickCheck: Check<ServiceView> = {
  name: 'tick',
  async find({ db }) {
    const agoMs = await lastTick(db)
    const advice =
      'schedules do not fire: start millrace up or millrace tick --watch, or have a clock call POST /tick'
    if (agoMs === undefined) return warn('no tick has run yet', advice)
    return agoMs <= tickMsMax
      ? ok(`the last was ${seconds(agoMs)} ago`)
      : fail(`the last was ${seconds(agoMs)} ago`, advice)
  },
}

export const runnersCheck: Check<ServiceView> = {
  name: 'runners',
  async find({ db, config }) {
    const workers = await listWorkers(db)
    const alive = workers.filter(({ heartbeatAgeMs }) => heartbeatAgeMs < config.leaseMs)
    const { count, waitedMs } = await longestUnclaimed(db)
    const waiting =
      count === 0 ? 'no run waits for one' : `${count} runs wait for one, for ${seconds(waitedMs)}`
    const text = `${alive.length} alive, ${waiting}`
    const isStuck = count > 0 && waitedMs > config.leaseMs
    if (alive.length > 0 && !isStuck) return ok(text)
    if (alive.length > 0)
      return warn(
        text,
        'start more runners, or raise their slots; or no runner has the labels: millrace status DAG',
      )
    return isStuck
      ? fail(text, 'start millrace runner')
      : warn(text, 'nothing runs until millrace runner is started')
  },
}

export const invariantsCheck: Check<ServiceView> = {
  name: 'invariants',
  async find({ db }) {
    const broken = await brokenInvariants(db)
    if (broken.length === 0) return ok('all hold')
    const some = broken.slice(0, shownMax).map(({ invariant, detail }) => `${invariant} (${detail})`)
    return fail(
      `${broken.length} broken: ${some.join('; ')}`,
      'this is a bug in Millrace, or rows were edited: report it',
    )
  },
}
