/**
 * `npm run chaos [-- --short | --planted | --failpoints [--times N]] [--seed N] [--minutes N]`: real processes, real
 * faults, and a verdict.
 */
import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'
import { plantAll } from './planted.ts'
import { scales } from './scales.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    failpoints: { type: 'boolean', default: false },
    times: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string' },
  },
})
const seed = Number(values.seed)

async function planted(): Promise<boolean> {
  let isSound = true
  for await (const { fault, caught, tookMs } of plantAll(seed)) {
    const isExpected = (caught !== undefined) === (fault !== 'no fault')
    isSound &&= isExpected
    const took = (tookMs / 1_000).toFixed(1)
    console.log(`${isExpected ? '' : 'WRONG: '}${fault}: ${caught ?? 'not caught'} (${took} s)`)
  }
  return isSound
}

async function injected(): Promise<boolean> {
  const scale = values.failpoints
    ? { ...scales.failpoints, failpointTimes: Number(values.times) }
    : scales[values.short ? 'short' : 'full']
  const limitMs = values.minutes === undefined ? scale.limitMs : Number(values.minutes) * 60_000
  console.log(`seed ${seed}: npm run chaos -- ${values.short ? '--short ' : ''}--seed ${seed}`)
  const {
    injected: done,
    drilled,
    accepted,
    repeats,
    tookMs,
    findings,
  } = await chaos({ ...scale, limitMs }, seed)
  console.log(
    `${Math.round(tookMs / 1_000)} s, ${accepted} runs accepted (${repeats} calls repeated), faults:`,
    JSON.stringify(done.counts),
  )
  if (scale.failpointTimes > 0) {
    console.log(`${drilled.hits.length} failpoints hit, not hit: ${drilled.missed.join(', ') || 'none'}`)
  }
  console.log(`${done.orphans} processes lived under ${done.orphanKills} of the killed runners`)
  for (const { claim, looked, wrong } of findings) {
    console.log(`${wrong.length === 0 ? 'holds ' : 'BROKEN'} ${claim}: ${wrong.length} of ${looked}`)
    for (const line of wrong.slice(0, 10)) console.log(`         ${line}`)
  }
  return drilled.missed.length === 0 && findings.every(({ wrong }) => wrong.length === 0)
}

process.exitCode = (await (values.planted ? planted() : injected())) ? 0 : 1
