import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { failpoints, type Failpoint } from '#lib/core/failpoint.ts'
import type { Member } from './member.ts'

/** A failure of one process: the action at the n-th time that it reaches a failpoint. */
export interface Drill {
  readonly name: Failpoint
  readonly action: 'crash' | 'hang' | 'throw'
  readonly nth: number
  readonly id: string
}

export interface Drilled {
  /** Failpoints that were reached, with the actions that happened there. */
  readonly hits: string[]
  /** Drills whose failpoint was not reached. */
  readonly missed: string[]
}

/** Failpoints around a statement, where an error may come from outside. */
const throwing = /^(claim|renewal|journal|log|child|tick|schedule)\./
const partOf = (name: Failpoint): 'runner' | 'tick' => (/^(tick|schedule)\./.test(name) ? 'tick' : 'runner')

/** Every failpoint `times` times: mostly crashes, every fourth time a hang, and an error if one is possible there. */
export function drillsFor(times: number, random: () => number): Drill[] {
  const names = Object.keys(failpoints) as Failpoint[]
  const drills = names.flatMap((name) =>
    Array.from({ length: times }, (_, round): Drill => {
      const other = round % 4 === 1 ? 'hang' : round % 4 === 3 && throwing.test(name) ? 'throw' : 'crash'
      const nth = round === 0 ? 1 : 1 + Math.floor(random() * 3)
      return { name, action: other, nth, id: `${name}.${round}` }
    }),
  )
  return drills
    .map((drill) => ({ drill, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ drill }) => drill)
}

/** A process that does not reach its failpoint within this time is restarted to try the drill again. */
const patienceMs = 30_000
const triesMax = 4
/** How long the process must survive after a hang or an error. */
const aftermathMs = { crash: 0, hang: 11_000, throw: 1_000 }
const lookEveryMs = 50

/** Runs all drills, one at a time per process, until none is left or `isOver`. */
export async function drill(
  members: readonly Member[],
  drills: readonly Drill[],
  { file, isOver }: { readonly file: string; readonly isOver: () => boolean },
): Promise<Drilled> {
  writeFileSync(file, '')
  const drilled: Drilled = { hits: [], missed: [] }
  const wasHit = (id: string): boolean => readFileSync(file, 'utf8').split('\n').includes(id)
  const work = async (member: Member, queue: Drill[]): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && !isOver(); next = queue.shift()) {
      const hit = await attempt(member, next)
      const what = `${next.name} ${next.action}`
      if (hit) drilled.hits.push(what)
      else if (!isOver()) drilled.missed.push(what)
    }
  }
  const attempt = async (member: Member, { name, action, nth, id }: Drill): Promise<boolean> => {
    for (let tries = 0; tries < triesMax && !isOver(); tries++) {
      await member.arm(`${name} ${action} ${tries === 0 ? nth : 1} ${id} ${file}`, action === 'crash')
      const begun = performance.now()
      while (!wasHit(id) && performance.now() - begun < patienceMs) await sleep(lookEveryMs)
      if (!wasHit(id)) continue
      await sleep(aftermathMs[action])
      return true
    }
    return false
  }
  const queues = { runner: [] as Drill[], tick: [] as Drill[], api: [] as Drill[] }
  for (const one of drills) queues[partOf(one.name)].push(one)
  await Promise.all(members.map((member) => work(member, queues[member.options.part])))
  const armed = members.filter((member) => member.isArmed)
  await Promise.all(armed.map((member) => member.arm(undefined, false)))
  return drilled
}
