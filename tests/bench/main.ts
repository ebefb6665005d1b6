/**
 * `npm run bench` measures the whole service over its REST API, and the limits of the machine in the same run.
 * `npm run bench -- --peer` then does the same work on the peer's own binary, and prints the ratios;
 * `--quick` makes everything short, for CI to check that the bench still runs. `--web` measures the page in Chromium
 * instead; `--pictures FOLDER` also writes screenshots of each page.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { measureColdStart } from './cold-start.ts'
import { percentile, printTable, type Figure } from './figures.ts'
import { measureEcho, measureLatency, measurePlanning } from './latency.ts'
import { measureLog } from './logs.ts'
import { measureMachine } from './machine-limits.ts'
import { measureLibraries, measureNoOps } from './no-ops.ts'
import { measurePunctuality } from './punctuality.ts'
import { measureReads } from './reads.ts'
import { startMillrace, startPeer, startServed, type Service } from './service.ts'
import { makeHistory, measureThroughput } from './throughput.ts'

const { values: options } = parseArgs({
  options: {
    peer: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    pictures: { type: 'string' },
  },
})

const runs = options.quick ? 40 : 500
const load = { verb: 'start', runs, callers: 32, steps: 1 } as const
/** For reading lists, with about 10,000 runs in total. */
const sizes = { dags: 1_000, runs: 9_000, seconds: 3 }

async function measure(service: Service): Promise<Figure[]> {
  const { quick } = options
  // After one run every part of the service is up.
  await makeHistory(service, 1)
  const memory = await service.memory()
  return [
    { work: 'idle: memory of the service', unit: 'MiB', value: memory.service },
    { work: 'idle: memory with PostgreSQL, shared once', unit: 'MiB', value: memory.all },
    ...(await measureLatency(service)),
    ...(await measureThroughput(service, { ...load, dags: 50 })),
    ...(await measureThroughput(service, { ...load, dags: 1 })),
    ...(await measureThroughput(service, { ...load, verb: 'enqueue', dags: 1, runs: runs / 2, callers: 8 })),
    ...(await measureThroughput(service, { ...load, dags: 50, runs: runs / 5, callers: 8, steps: 10 })),
    ...(quick ? [] : await measurePunctuality(service, 100)),
    ...(quick ? [] : await measurePunctuality(service, 500)),
    ...(await measureLog(service, quick ? 1 : 100)),
    ...(await measureReads(service, quick ? { dags: 20, runs: 20, seconds: 0.2 } : sizes)),
  ]
}

/** Measures a system, and then its restart with the data that it has stored. */
async function measureSystem(
  start: () => Promise<Service>,
  more: (service: Service) => Promise<Figure[]>,
): Promise<Figure[]> {
  const service = await start()
  const figures: Figure[] = []
  try {
    figures.push(...(await measure(service)), ...(await more(service)))
  } finally {
    await service.stop()
  }
  const times: number[] = []
  for (let round = 0; round < (options.quick ? 1 : 5); round++) {
    const again = await start()
    times.push(again.upMs)
    await again.stop()
  }
  return [
    ...figures,
    { work: 'start of the service on existing data, p50', unit: 'ms', value: percentile(times, 0.5) },
  ]
}

/** Limits of the machine, cold start, and jobs without a process, on a PostgreSQL like the embedded one. */
async function machineLimits(folder: string): Promise<Figure[]> {
  const postgres = await startPostgres({ folder, durable: true })
  const jobs = options.quick ? 200 : 2_000
  try {
    return [
      ...(await measureMachine(postgres.url)),
      await measureColdStart(folder, postgres.url),
      await measureNoOps(postgres.url, jobs),
      ...(options.peer ? measureLibraries(postgres.url, join(folder, 'libraries'), jobs) : []),
    ]
  } finally {
    await postgres.close()
  }
}

/** The parts as separate processes on a PostgreSQL server, with a growing number of runners. */
async function measureServed(folder: string): Promise<Map<string, readonly Figure[]>> {
  const systems = new Map<string, readonly Figure[]>()
  for (const runners of options.quick ? [1] : [1, 2, 4]) {
    const service = await startServed(join(folder, `served-${runners}`), 18_680 + runners, runners)
    try {
      systems.set(`${runners} runner${runners > 1 ? 's' : ''}`, [
        ...(await measureEcho(service)),
        ...(await measureThroughput(service, { ...load, dags: 50 })),
        ...(await measureThroughput(service, { ...load, dags: 50, runs: runs / 5, callers: 8, steps: 10 })),
      ])
    } finally {
      await service.stop()
    }
  }
  return systems
}

/** Measures only the page. */
async function measurePage(folder: string): Promise<void> {
  const port = 18_780
  // The browser driver would double the memory of this process, and so slow the process spawns that the others measure.
  const { measurePeerList, measureWeb, takePictures } = await import('./web.ts')
  const service = await startMillrace(join(folder, 'millrace'), port)
  const url = `http://127.0.0.1:${port}`
  const { quick, pictures } = options
  const sizes = quick
    ? { dags: 60, steps: 200, megabytes: 1, seconds: 0.3 }
    : { dags: 10_000, steps: 5_000, megabytes: 100, seconds: 3 }
  const systems = new Map<string, readonly Figure[]>()
  try {
    systems.set('millrace', await measureWeb(service, url, sizes))
    if (pictures !== undefined) await takePictures(service, url, pictures)
  } finally {
    await service.stop()
  }
  if (options.peer) {
    const peer = await startPeer(installPeer(folder), join(folder, 'dagu'), 18_880)
    try {
      systems.set('dagu', await measurePeerList(peer, 'http://127.0.0.1:18880', sizes))
    } finally {
      await peer.stop()
    }
  }
  printTable('The page in Chromium, without a GPU', systems)
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const systems = new Map<string, readonly Figure[]>()
  try {
    if (options.web) {
      await measurePage(folder)
      return
    }
    const limits = await machineLimits(join(folder, 'machine'))
    printTable(
      'This machine, one served Postgres, and what runs on them without the whole service',
      new Map([['machine', limits]]),
    )
    const own = () => startMillrace(join(folder, 'millrace'), 18_480)
    systems.set('millrace', await measureSystem(own, measurePlanning))
    if (options.peer) {
      const binary = installPeer(folder)
      const peer = () => startPeer(binary, join(folder, 'dagu'), 18_580)
      systems.set('dagu', await measureSystem(peer, () => Promise.resolve([])))
    }
    printTable('The service, over its REST API', systems)
    printTable('API, tick and runners as processes on a served Postgres', await measureServed(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Installs the peer's binary from npm into the temporary `folder`. */
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
