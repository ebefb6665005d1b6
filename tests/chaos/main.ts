/** `npm run chaos [-- --short] [--seed N] [--minutes N]`: real processes, real faults, and a verdict. */
import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'
import { scales } from './scales.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string' },
  },
})
const scale = values.short ? scales.short : scales.full
const limitMs = values.minutes === undefined ? scale.limitMs : Number(values.minutes) * 60_000
const seed = Number(values.seed)
console.log(`seed ${seed}: npm run chaos -- ${values.short ? '--short ' : ''}--seed ${seed}`)
const { injected, accepted, repeats, tookMs, findings } = await chaos({ ...scale, limitMs }, seed)
console.log(
  `${Math.round(tookMs / 1_000)} s, ${accepted} runs accepted (${repeats} calls repeated), faults:`,
  JSON.stringify(injected.counts),
)
console.log(`${injected.orphans} processes lived under ${injected.orphanKills} of the killed runners`)
for (const { claim, looked, wrong } of findings) {
  console.log(`${wrong.length === 0 ? 'holds ' : 'BROKEN'} ${claim}: ${wrong.length} of ${looked}`)
  for (const line of wrong.slice(0, 10)) console.log(`         ${line}`)
}
process.exitCode = findings.every(({ wrong }) => wrong.length === 0) ? 0 : 1
