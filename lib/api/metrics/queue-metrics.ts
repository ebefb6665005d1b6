import { Gauge, type Registry } from 'prom-client'
import type { QueueMeasures } from '#lib/queues/measure-queues.ts'

/** Adds the metrics of queues. @returns what sets them */
export function queueMetrics(registers: Registry[]): (measures: QueueMeasures) => void {
  const oldest = new Gauge({
    name: 'millrace_oldest_queued_seconds',
    help: 'Waiting time of the oldest enqueued run, ignoring paused queues',
    registers,
  })
  const paused = new Gauge({
    name: 'millrace_queue_paused',
    help: '1 while a queue is paused; always present for custom queues, for others only while paused',
    labelNames: ['queue'],
    registers,
  })
  return ({ oldestQueuedSeconds, pauses }) => {
    oldest.set(oldestQueuedSeconds)
    paused.reset()
    for (const queue of pauses) paused.set({ queue: queue.name }, queue.paused ? 1 : 0)
  }
}
