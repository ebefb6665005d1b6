import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Service } from './service.ts'

const dags = fileURLToPath(new URL('../demo', import.meta.url))
const roundMs = 10_000
const rounds = 30

/**
 * Fills a service with demo data: DAGs that succeed, fail and wait in a queue, and runs of them at intervals for about
 * five minutes.
 */
export async function playDemo(service: Service): Promise<void> {
  for (const file of readdirSync(dags)) {
    const body = { name: file.replace('.yaml', ''), spec: readFileSync(join(dags, file), 'utf8') }
    await service.ask('createDag', { body })
  }
  const start = (fileName: string, params = ''): Promise<unknown> =>
    service.ask('startDag', { params: { fileName }, body: { params } })
  for (let round = 1; round <= rounds; round++) {
    // The first rounds start at once, so that there is some history.
    if (round > 4) await pause(roundMs)
    await start('hello', `NAME=guest-${round}`)
    await start('nightly-orders')
    await start('shop-report', `GOAL=${30 + round}`)
    if (round % 3 === 1) await start('import-prices')
    if (round % 4 === 2) await start('unsteady-service', `FAILURES=${round % 5}`)
    if (round <= 4) {
      const body = { params: `REEL=${round}` }
      await service.ask('enqueueDag', { params: { fileName: 'render-film' }, body })
    }
  }
}
