import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallFailure } from '../../data/call.ts'
import type { PlanAnswer } from '../../data/dag-answer.ts'
import { useData } from '../../data/page-data.ts'
import { useSettled } from './use-settled.ts'

/** The findings of the service about a text. */
export interface Findings {
  readonly text: string
  readonly answer: PlanAnswer
}

/**
 * Milliseconds after the last key until a text is checked: a quarter of what the last check took, so that large texts
 * do not keep the service busy while somebody types.
 */
const pauseMs = { least: 50, most: 300, part: 1 / 4 }
/** Milliseconds until a retry if the service does not answer. */
const againMs = 2_000

/**
 * Checks a text during typing: one call at a time, and responses about older texts are ignored.
 * @param isWithPlan asks also for what a run would do
 */
export function useFindings(text: string | undefined, name: string, isWithPlan = false) {
  const { ask } = useData()
  const [findings, setFindings] = useState<Findings>()
  const [error, setError] = useState<Error>()
  const tookMs = useRef(0)
  const settled = useSettled(text, isWithPlan ? 0 : pauseAfter(tookMs.current))
  const latest = useRef({ text, settled })
  latest.current = { text, settled }
  const isAsking = useRef(false)
  const isGone = useRef(false)
  useEffect(() => () => void (isGone.current = true), [])

  async function check(): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    let isAgain = true
    while (isAgain && !isGone.current) {
      isAgain = await checkOnce(latest.current.settled)
    }
    isAsking.current = false
  }
  /** @returns whether there is more to check */
  async function checkOnce(spec: string | undefined): Promise<boolean> {
    if (spec === undefined) return false
    const beganMs = performance.now()
    try {
      const query = isWithPlan ? ({ plan: 'true' } as const) : {}
      const answer = await ask('validateDag', { query, body: { spec, ...(name !== '' && { name }) } })
      tookMs.current = performance.now() - beganMs
      setError(undefined)
      if (spec === latest.current.text) setFindings({ text: spec, answer })
      return spec !== latest.current.settled
    } catch (thrown) {
      setError(thrown as Error)
      if (thrown instanceof CallFailure && thrown.status > 0 && thrown.status < 500) {
        return spec !== latest.current.settled
      }
      await new Promise((resolve) => setTimeout(resolve, againMs))
      return true
    }
  }
  useLayoutEffect(() => void check(), [settled, name])
  return { findings, error }
}

const pauseAfter = (tookMs: number): number =>
  Math.min(pauseMs.most, Math.max(pauseMs.least, tookMs * pauseMs.part))
