import { UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { text } from '../table.ts'

const healths = {
  WORKER_HEALTH_STATUS_HEALTHY: 'healthy',
  WORKER_HEALTH_STATUS_WARNING: 'doubtful',
  WORKER_HEALTH_STATUS_UNHEALTHY: 'unhealthy',
} as const

export const runners = defineServiceCommand({
  name: 'runners',
  summary: 'List the runners and what they run; drain or resume one',
  usage: ['', 'drain RUNNER', 'resume RUNNER'],
  details:
    'RUNNER is an id, or the beginning of one. A drained runner claims nothing and finishes its runs;\n' +
    'it stays drained until it is resumed or exits.',
  options: {},
  async run({ words: [verb, name = ''], output }, service) {
    if (verb === undefined) return await list(service, output)
    const id = await idOf(service, name)
    const { worker } = await service.ask(verb === 'drain' ? 'drainWorker' : 'resumeWorker', {
      params: { id },
    })
    const runs = `${worker.used} ${worker.used === 1 ? 'run' : 'runs'}`
    output.show(
      worker,
      worker.draining ? `${id} drains: it finishes ${runs} and claims nothing` : `${id} claims runs`,
    )
  },
})

async function idOf(service: Service, name: string): Promise<string> {
  const { workers } = await service.ask('listWorkers')
  const ids = workers.map(({ id }) => id).filter((id) => id.startsWith(name))
  const [id, ...others] = ids.includes(name) ? [name] : ids
  if (id !== undefined && others.length === 0) return id
  throw new UsageError(
    id === undefined
      ? `no runner has an id that begins with ${JSON.stringify(name)}`
      : `${ids.length} runners have ids that begin with ${JSON.stringify(name)}: ${ids.slice(0, 3).join(', ')}`,
  )
}

async function list(service: Service, output: Output): Promise<void> {
  const { workers } = await service.ask('listWorkers')
  output.table(
    workers,
    {
      runner: ({ id }) => id,
      health: output.statuses(
        ({ health_status: health, draining }) => `${healths[health]}${draining ? ', draining' : ''}`,
      ),
      heartbeat: ({ last_heartbeat: at }) => output.time(at),
      slots: ({ used, slots }) => `${used} of ${slots}`,
      labels: text(({ labels }) =>
        Object.entries(labels)
          .map(([name, value]) => `${name}=${value}`)
          .join(','),
      ),
      runs: text(({ running_tasks: tasks }) =>
        tasks.map(({ dagName, dagRunId }) => `${dagName} ${dagRunId}`).join(', '),
      ),
    },
    'no runners: nothing claims runs',
  )
}
