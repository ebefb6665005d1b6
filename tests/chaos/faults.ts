import { setTimeout as sleep } from 'node:timers/promises'
import { processesWith, type Member } from './member.ts'
import { leaseS, type Deployment } from './deployment.ts'

/** How often each fault is injected. */
export interface FaultCounts {
  readonly killRunner: number
  readonly stopRunner: number
  readonly killApi: number
  readonly stopApi: number
  readonly killTick: number
  readonly stopTick: number
  readonly restartPostgres: number
  /** Cuts a connection in the proxy; ends a backend of PostgreSQL; silences a connection. */
  readonly cutConnection: number
  readonly endBackend: number
  readonly silenceConnection: number
  /** Makes the database unreachable for a second: silent, closing or refusing. */
  readonly closeWay: number
}

type Fault = keyof FaultCounts

/** The faults that were injected, and what was observed meanwhile. */
export interface Injected {
  readonly counts: Record<Fault, number>
  /** Kills of runners that had live processes. */
  orphanKills: number
  orphans: number
  /** Processes of a killed runner that lived 2 s after it. */
  readonly survivors: string[]
}

/** All faults in random order. */
export function schedule(counts: FaultCounts, random: () => number): Fault[] {
  const faults = Object.entries(counts).flatMap(([fault, count]) =>
    Array.from({ length: count }, () => fault as Fault),
  )
  return faults
    .map((fault) => ({ fault, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault)
}

/** Injects faults one after the other, each after a pause. Paused processes are resumed in the background. */
export async function inject(
  deployment: Deployment,
  faults: readonly Fault[],
  {
    random,
    pause,
    isOver,
  }: {
    readonly random: () => number
    /** @param haste the fraction of the usual pause */
    readonly pause: (haste: number) => Promise<void>
    readonly isOver: () => boolean
  },
): Promise<Injected> {
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  const injected: Injected = {
    counts,
    orphanKills: 0,
    orphans: 0,
    survivors: [],
  }
  const background: Promise<void>[] = []
  for (const fault of faults) {
    if (isOver()) break
    await pause(isOfTheNetwork(fault) ? networkHaste : 1)
    if (fault === 'restartPostgres') {
      if (restart(deployment.postgres)) injected.counts.restartPostgres += 1
      continue
    }
    if (isOfTheNetwork(fault)) {
      injected.counts[fault] += await disturb(deployment, fault, random)
      continue
    }
    const victim = pick(deployment, fault, random)
    if (victim === undefined) continue
    injected.counts[fault] += 1
    if (fault === 'killRunner') background.push((await killRunner(victim, injected)).look)
    else if (fault.startsWith('kill')) await victim.kill()
    else background.push(pausePastLease(victim, fault === 'stopRunner' ? leaseS * 1_000 + 3_000 : 3_000))
  }
  await Promise.all(background)
  return injected
}

/** @returns whether the server was running */
function restart({ pid }: Deployment['postgres']): boolean {
  try {
    // Like `pg_ctl stop -m immediate`; the holder of the server restarts it.
    return process.kill(pid, 'SIGQUIT')
  } catch {
    return false
  }
}

type NetworkFault = (typeof networkFaults)[number]
const networkFaults = ['cutConnection', 'endBackend', 'silenceConnection', 'closeWay'] as const
const isOfTheNetwork = (fault: Fault): fault is NetworkFault =>
  (networkFaults as readonly Fault[]).includes(fault)

const cuts = ['end', 'reset', 'reset in an answer'] as const
const closedWays = ['silent', 'closing', 'refusing'] as const
const closedWayMs = 1_000
/** Network faults are more frequent, after shorter pauses. */
const networkHaste = 0.2

/** @returns how many faults took effect */
async function disturb(
  { db, proxy }: Deployment,
  fault: NetworkFault,
  random: () => number,
): Promise<number> {
  const dice = Math.floor(random() * 1_000_000)
  if (fault === 'cutConnection') return proxy.cut(cuts[dice % cuts.length] ?? 'end', dice)
  if (fault === 'silenceConnection') return proxy.silence(dice)
  if (fault === 'closeWay') {
    await proxy.way(closedWays[dice % closedWays.length] ?? 'silent')
    await sleep(closedWayMs)
    await proxy.way('open')
    return 1
  }
  const ended = await db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name ~ '^(api|tick|runner)-'
    order by hashint4(pid + ${dice}::int) limit 1`.catch(() => [])
  return ended.length
}

function pick(deployment: Deployment, fault: Fault, random: () => number): Member | undefined {
  const part = fault.endsWith('Runner') ? 'runner' : fault.endsWith('Api') ? 'api' : 'tick'
  const able = deployment.members.filter((member) => member.options.part === part && !member.isStopped)
  return able[Math.floor(random() * able.length)]
}

/** @returns a promise of the check for survivors after 2 s */
async function killRunner(runner: Member, injected: Injected): Promise<{ look: Promise<void> }> {
  const mark = `DAG_CHAOS_LIFE=${runner.life}\0`
  const before = processesWith(mark, runner.pid)
  await runner.kill()
  injected.orphans += before.length
  if (before.length > 0) injected.orphanKills += 1
  const look = async (): Promise<void> => {
    await sleep(2_000)
    const left = processesWith(mark)
    if (left.length > 0) injected.survivors.push(`${left.length} processes of ${mark.slice(15, -1)}`)
  }
  return { look: look() }
}

async function pausePastLease(member: Member, ms: number): Promise<void> {
  member.pause()
  await sleep(ms)
  member.resume()
}
