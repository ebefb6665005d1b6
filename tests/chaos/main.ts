/**
 * `npm run chaos [-- …] [--seed N]`: real processes, real faults, and a verdict. By default all faults for an hour,
 * with `--short` for two minutes, with `--network` only network faults, with `--minutes N` for N minutes;
 * `--pooled` puts each behind pgbouncer.
 * `--restarts [--times N]`: restarts PostgreSQL each time that 2,000 starts are accepted.
 * `--instants [--times N]`: sixteen ticks serve a million missed instants.
 * `--promotions [--times N]`: sixteen promoters promote 100,000 runs while limits go up and down.
 * `--saturated [--minutes N]`: long runs while all cores are busy; then one runner is killed.
 * `--failpoints [--times N]`: a crash, a hang or an error at each failpoint. `--orphans [--times N]`: processes
 * that steps leave behind. `--stops [--times N]`: how long stops take. `--planted`: plausible mistakes in the code,
 * each of which the tests must catch.
 */
import { parseArgs } from 'node:util'
import { chaos, type Scale } from './chaos.ts'
import { instants } from './instants.ts'
import type { Finding } from './judge.ts'
import { orphans } from './orphans.ts'
import { plantAll } from './planted.ts'
import { plantAllInCode } from './planted-code.ts'
import { promotions } from './promotions.ts'
import { saturated } from './saturated.ts'
import { scales } from './scales.ts'
import { stops } from './stops.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    pooled: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    network: { type: 'boolean', default: false },
    failpoints: { type: 'boolean', default: false },
    orphans: { type: 'boolean', default: false },
    stops: { type: 'boolean', default: false },
    restarts: { type: 'boolean', default: false },
    instants: { type: 'boolean', default: false },
    promotions: { type: 'boolean', default: false },
    saturated: { type: 'boolean', default: false },
    times: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string' },
  },
})
const seed = Number(values.seed)
const times = (fallback: number): number => Number(values.times ?? fallback)

function say({ claim, looked, wrong }: Finding): boolean {
  console.log(`${wrong.length === 0 ? 'holds ' : 'BROKEN'} ${claim}: ${wrong.length} of ${looked}`)
  for (const line of wrong.slice(0, 10)) console.log(`         ${line}`)
  return wrong.length === 0
}

async function stopped(): Promise<boolean> {
  let isSound = true
  for (const [who, count] of [
    ['live', times(1_000)],
    ['dead', Math.ceil(times(1_000) / 20)],
  ] as const) {
    const { finding, p50, p99 } = await stops(count, who)
    console.log(`${who}: p50 ${p50} ms, p99 ${p99} ms`)
    isSound = say(finding) && isSound
  }
  return isSound
}

async function served(): Promise<boolean> {
  const { tookMs, findings } = await instants(times(1_000_000))
  console.log(`${Math.round(tookMs / 1_000)} s`)
  return findings.map(say).every(Boolean)
}

async function promoted(): Promise<boolean> {
  const { finding, limitChanges, lowered } = await promotions(times(100_000), seed)
  console.log(`${limitChanges} changes of a limit, ${lowered} of them below the number of runs in progress`)
  return say(finding)
}

async function busy(): Promise<boolean> {
  const { findings, leastLeftS, continuedMs } = await saturated(Number(values.minutes ?? 4))
  console.log(
    `leases had ${leastLeftS.toFixed(1)} s left or more; runs continued after ${(continuedMs / 1_000).toFixed(1)} s`,
  )
  return findings.map(say).every(Boolean)
}

async function* everyFault(): ReturnType<typeof plantAll> {
  yield* plantAllInCode()
  yield* plantAll(seed)
}

async function planted(): Promise<boolean> {
  let isSound = true
  for await (const { fault, caught, tookMs } of everyFault()) {
    const isExpected = (caught !== undefined) === (fault !== 'no fault')
    isSound &&= isExpected
    const took = (tookMs / 1_000).toFixed(1)
    console.log(`${isExpected ? '' : 'WRONG: '}${fault}: ${caught ?? 'not caught'} (${took} s)`)
  }
  return isSound
}

function sized(size: keyof typeof scales): Scale {
  const scale: Scale = scales[size]
  if (size === 'failpoints') return { ...scale, failpointTimes: times(scale.failpointTimes) }
  if (size !== 'restarts') return scale
  const restartPostgres = times(scale.faults.restartPostgres)
  const runsMax = restartPostgres * scales.restarts.startsPerFault
  return { ...scale, faults: { ...scale.faults, restartPostgres }, runsMax }
}

async function injected(): Promise<boolean> {
  const size = (['short', 'network', 'failpoints', 'restarts'] as const).find((name) => values[name])
  const scale = sized(size ?? 'full')
  const limitMs = values.minutes === undefined ? scale.limitMs : Number(values.minutes) * 60_000
  const words = [...(size === undefined ? [] : [`--${size}`]), ...(values.pooled ? ['--pooled'] : [])]
  console.log(`seed ${seed}: npm run chaos -- ${[...words, '--seed', seed].join(' ')}`)
  const {
    injected: done,
    drilled,
    accepted,
    repeats,
    tookMs,
    findings,
  } = await chaos({ ...scale, limitMs, pooled: values.pooled }, seed)
  console.log(
    `${Math.round(tookMs / 1_000)} s, ${accepted} runs accepted (${repeats} calls repeated), faults:`,
    JSON.stringify(done.counts),
  )
  if (scale.failpointTimes > 0) {
    console.log(`${drilled.hits.length} failpoints hit, not hit: ${drilled.missed.join(', ') || 'none'}`)
  }
  console.log(`${done.orphans} processes lived under ${done.orphanKills} of the killed runners`)
  for (const finding of findings) say(finding)
  return drilled.missed.length === 0 && findings.every(({ wrong }) => wrong.length === 0)
}

async function everything(): Promise<boolean> {
  if (values.planted) return await planted()
  if (values.orphans) return say(await orphans(Math.ceil(times(200) / 4)))
  if (values.stops) return await stopped()
  if (values.instants) return await served()
  if (values.promotions) return await promoted()
  if (values.saturated) return await busy()
  return await injected()
}

process.exit((await everything()) ? 0 : 1)
