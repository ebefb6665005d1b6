/** `npm run runner`: claims and executes runs until it is asked to stop. */
import { run } from '#functions/runner/index.ts'
import { spawnWay } from '#lib/executors/shell/start-process.ts'
import { loadSystemCalls } from '#lib/executors/shell/system-calls.ts'
import { endProcess } from './end-process.ts'
import { runPart } from './run-part.ts'

await runPart('runner', async ({ deps, environment, closing, onHurry, isAlone }) => {
  const runner = run({ deps, environment })
  closing.add('runner', () => runner.stop())
  onHurry(() => endProcess(1))
  if (process.argv.includes('--with-parent')) {
    loadSystemCalls()?.dieWithParent()
    // Closes when the server has ended, even if it was killed.
    process.stdin.on('end', () => endProcess(1)).on('error', () => endProcess(1))
    process.stdin.resume()
  }
  if (isAlone) {
    const { dataDir } = deps.config
    deps.log.warn(
      { event: 'runner.alone', dataDir },
      'without DATABASE_URL, this runner works on a PostgreSQL of its own: no service runs with this data folder',
    )
  }
  deps.log.info({ event: 'service.started', ...spawnWay() }, 'the runner claims runs')
  if (deps.config.runner.budgetMs === undefined) return 'serving'
  await runner.done
  return 'done'
})
