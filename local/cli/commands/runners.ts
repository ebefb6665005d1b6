import { defineServiceCommand } from '../service.ts'
import { text } from '../table.ts'

const healths = {
  WORKER_HEALTH_STATUS_HEALTHY: 'healthy',
  WORKER_HEALTH_STATUS_WARNING: 'doubtful',
  WORKER_HEALTH_STATUS_UNHEALTHY: 'unhealthy',
} as const

export const runners = defineServiceCommand({
  name: 'runners',
  summary: 'List the runners and what they run',
  usage: [''],
  options: {},
  async run({ output }, service) {
    const { workers } = await service.ask('listWorkers')
    output.table(
      workers,
      {
        runner: ({ id }) => id,
        health: output.statuses(
          ({ health_status: health, draining }) => `${healths[health]}${draining ? ', draining' : ''}`,
        ),
        heartbeat: ({ last_heartbeat: at }) => output.time(at),
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
  },
})
