/** `npm run tick`: one pass over what is due, then the end; `npm run tick -- --watch` repeats. */
import { parseArgs } from 'node:util'
import { keepTicking, tickOf } from '#functions/tick/index.ts'
import { applySettings } from '#lib/app/apply-settings.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import { keepSyncing, syncOnce } from '#lib/dag-folder/keep-syncing.ts'
import { runTick } from '#lib/tick/run-tick.ts'
import { print } from './print.ts'
import { runPart } from './run-part.ts'

const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } })

await runPart('tick', async ({ deps, closing }) => {
  const ticking = tickOf(deps)
  const { watch: isWatching } = values
  await whileUnreachable(
    () => applySettings(deps, 'all'),
    () => isWatching,
  )
  const { dagsDir } = deps.config
  if (!isWatching) {
    if (dagsDir !== undefined) await syncOnce(deps, dagsDir)
    print(JSON.stringify(await runTick(ticking)))
    return 'done'
  }
  if (dagsDir !== undefined) {
    const sync = await whileUnreachable(
      () => keepSyncing(deps, dagsDir),
      () => true,
    )
    closing.add('DAG folder', () => sync.stop())
  }
  const watch = keepTicking(ticking, 5_000)
  closing.add('tick', () => watch.stop())
  deps.log.info({ event: 'service.started' }, 'the tick runs')
  return 'serving'
})
