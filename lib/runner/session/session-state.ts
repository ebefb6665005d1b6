import { invariant } from '#lib/core/errors.ts'

/**
 * The phase of a runner's work on one claimed run:
 *
 * ```
 *  preparing ──▶ driving ──▶ draining          an order that ends the session is taken in any of the three
 *      └────────────┴───────────┴──▶ finishing ──▶ finished     the run is over, and recorded so
 *                               ├──▶ releasing ──▶ released     it was given back, for any runner to continue
 *                               └──▶ losing ─────▶ lost         another runner owns it, or it could not be recorded
 * ```
 */
export type Phase = keyof typeof transitions

/**
 * The orders that change a session:
 *  prepared  its inputs are evaluated
 *  drain     start nothing more, and release the run once nothing of it executes here
 *  idle      nothing executes, and nothing is due soon
 *  release   kill the running steps, and give the run back
 *  lose      kill the running steps, and forget the run
 *  finish    the run is over
 *  recorded, refused   the database accepted the end of the session, or not
 */
export type Order = 'prepared' | 'drain' | 'idle' | 'release' | 'lose' | 'finish' | 'recorded' | 'refused'

export type SessionEnd = 'finished' | 'released' | 'lost'

const closing = { release: 'releasing', lose: 'losing', finish: 'finishing' } as const

/** An order that a phase does not list has no effect: it comes too late. */
const transitions = {
  preparing: { prepared: 'driving', drain: 'draining', ...closing },
  driving: { drain: 'draining', idle: 'releasing', ...closing },
  draining: { idle: 'releasing', ...closing },
  finishing: { recorded: 'finished', refused: 'lost' },
  releasing: { recorded: 'released', refused: 'lost' },
  losing: { refused: 'lost' },
  finished: {},
  released: {},
  lost: {},
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Order, string>>>>>

/** The phase that an order leads to; undefined if it has no effect. */
export function nextPhase(phase: Phase, order: Order): Phase | undefined {
  const orders: Readonly<Partial<Record<Order, Phase>>> = transitions[phase]
  return orders[order]
}

/** The state of one session. `take` is the only way to change it. */
export class SessionState {
  /** Resolves when the session begins to end. */
  readonly closing: Promise<void>
  readonly #close: () => void
  #phase: Phase = 'preparing'

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closing = promise
    this.#close = resolve
  }

  get phase(): Phase {
    return this.#phase
  }

  /** How the session ended. @throws Error before that */
  get end(): SessionEnd {
    const phase = this.#phase
    invariant(phase === 'finished' || phase === 'released' || phase === 'lost', `the session is ${phase}`)
    return phase
  }

  /** Whether events of the run still count. */
  get isOpen(): boolean {
    return this.#phase === 'preparing' || this.#phase === 'driving' || this.#phase === 'draining'
  }

  /** @returns whether the order changed anything */
  take(order: Order): boolean {
    const next = nextPhase(this.#phase, order)
    if (next === undefined) return false
    this.#phase = next
    if (!this.isOpen) this.#close()
    return true
  }
}
