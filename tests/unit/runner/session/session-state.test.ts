import { describe, expect, test } from 'vitest'
import { nextPhase, SessionState, type Order, type Phase } from '#lib/runner/session/session-state.ts'

const orders: readonly Order[] = [
  'prepared',
  'drain',
  'idle',
  'release',
  'lose',
  'finish',
  'recorded',
  'refused',
]

function after(...taken: Order[]): Phase {
  const state = new SessionState()
  for (const order of taken) state.take(order)
  return state.phase
}

/** All phases that orders lead to, with the orders that count in them. */
function table(): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  const visit = (phase: Phase): void => {
    if (phase in found) return
    const counting = orders.flatMap((order) => {
      const next = nextPhase(phase, order)
      return next === undefined ? [] : [{ order, next }]
    })
    found[phase] = counting.map(({ order, next }) => `${order} → ${next}`)
    for (const { next } of counting) visit(next)
  }
  visit('preparing')
  return found
}

describe('the state of a session', () => {
  test('each phase takes these orders, and no other', () => {
    const closing = ['release → releasing', 'lose → losing', 'finish → finishing']
    expect(table()).toEqual({
      preparing: ['prepared → driving', 'drain → draining', ...closing],
      driving: ['drain → draining', 'idle → releasing', ...closing],
      draining: ['idle → releasing', ...closing],
      releasing: ['recorded → released', 'refused → lost'],
      losing: ['refused → lost'],
      finishing: ['recorded → finished', 'refused → lost'],
      finished: [],
      released: [],
      lost: [],
    })
  })

  test.each([
    [['prepared', 'finish', 'recorded'], 'finished'],
    [['prepared', 'drain', 'idle', 'recorded'], 'released'],
    [['drain', 'prepared', 'idle', 'recorded'], 'released'],
    [['prepared', 'release', 'lose', 'refused'], 'lost'],
    [['finish', 'refused'], 'lost'],
    [['lose', 'recorded', 'refused'], 'lost'],
  ] as const)('a session with the orders %j ends as %s', (taken, end) => {
    expect(after(...taken)).toBe(end)
  })

  test('a session never becomes active again after the first order that ends it', () => {
    for (const closing of ['release', 'lose', 'finish'] as const) {
      for (const late of orders) {
        const phase = after('prepared', closing, late)
        expect(['preparing', 'driving', 'draining']).not.toContain(phase)
      }
    }
  })

  test('a session closes once, and its end is known only after it has ended', async () => {
    const state = new SessionState()
    state.take('prepared')
    expect(state.take('lose')).toBe(true)
    expect(state.take('lose')).toBe(false)
    await state.closing
    expect(() => state.end).toThrow('losing')
    state.take('refused')
    expect(state.end).toBe('lost')
  })
})
