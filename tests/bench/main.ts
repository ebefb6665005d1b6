/**
 * `npm run bench` measures the whole service over its REST API, and the limits of the machine in the same run.
 * `npm run bench -- --peer` does the same work on the peer's own binary, in turn, and prints the ratios;
 * `--quick` makes everything short, so that CI proves that the bench still runs.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { measureColdStart } from './cold-start.ts'
import { printTable, type Figure } from './figures.ts'
import { measureMachine } from './machine-limits.ts'
import { startMillrace, startPeer, type Service } from './service.ts'
import { measureLatency, measurePlanning, measureThroughput } from './workloads.ts'

const { values: options } = parseArgs({
  options: { peer: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
})

async function measure(service: Service): Promise<Figure[]> {
  const runs = options.quick ? 40 : 500
  const idle: Figure = { work: 'memory, idle', unit: 'MiB', value: await service.memoryMiB() }
  const latency = await measureLatency(service)
  const spread = await measureThroughput(service, { verb: 'start', dags: 50, runs, callers: 32 })
  const single = await measureThroughput(service, { verb: 'start', dags: 1, runs, callers: 32 })
  const queued = await measureThroughput(service, { verb: 'enqueue', dags: 50, runs: runs / 2, callers: 8 })
  return [idle, ...latency, ...spread, ...single, ...queued]
}

/** On a database of its own with the settings of the embedded one; the start of the API bundle beside it. */
async function machineLimits(folder: string): Promise<Figure[]> {
  const postgres = await startPostgres({ folder, durable: true })
  try {
    return [...(await measureMachine(postgres.url)), await measureColdStart(folder, postgres.url)]
  } finally {
    await postgres.close()
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const systems = new Map<string, readonly Figure[]>()
  try {
    const limits = await machineLimits(join(folder, 'machine'))
    printTable('What this machine can do, and how the API starts on it', new Map([['machine', limits]]))
    const own = await startMillrace(join(folder, 'millrace'), 18_480)
    try {
      systems.set('millrace', [...(await measure(own)), ...(await measurePlanning(own))])
    } finally {
      await own.stop()
    }
    if (options.peer) {
      const peer = await startPeer(installPeer(folder), join(folder, 'dagu'), 18_580)
      try {
        systems.set('dagu', await measure(peer))
      } finally {
        await peer.stop()
      }
    }
    printTable('The service, over its REST API', systems)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Installs the peer's binary from npm below `folder`; nothing of it stays. */
function installPeer(folder: string): string {
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '@dagu-org/dagu-linux-x64@1.30.2',
  ]
  execFileSync('npm', args, { stdio: 'ignore' })
  return join(folder, 'node_modules/@dagu-org/dagu-linux-x64/bin/dagu')
}

await main()
