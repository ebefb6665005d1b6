import { openEngine, type EngineAddress } from './client.ts'
import { removeContainer } from './container.ts'
import { keepLabel, ownLabel, runLabels, type NamedRun } from './labels.ts'

/** The run waits meanwhile, milliseconds. */
const sweepMsMax = 30_000

/**
 * Removes containers that earlier claims of a run left on the engine, because their runner died or lost the run. Ended
 * containers that are kept on purpose stay.
 * @returns how many were removed
 * @throws Error when the engine does not answer, or cannot remove one
 */
export async function sweepContainers(run: NamedRun, address: EngineAddress): Promise<number> {
  const engine = openEngine(address)
  const label = Object.entries(runLabels(run)).map(([name, value]) => `${name}=${value}`)
  const abortSignal = AbortSignal.timeout(sweepMsMax)
  const found = await engine.docker.listContainers({ all: true, filters: { label }, abortSignal })
  const left = found.filter(
    ({ Labels, State }) =>
      Labels[ownLabel] !== run.token && !(Labels[keepLabel] === 'true' && State === 'exited'),
  )
  for (const { Id } of left) {
    abortSignal.throwIfAborted()
    await removeContainer(engine, engine.docker.getContainer(Id))
  }
  return left.length
}
