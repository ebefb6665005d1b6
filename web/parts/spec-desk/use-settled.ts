import { useLayoutEffect, useState } from 'preact/hooks'

/** A value once it has been stable for some milliseconds, counted from before the next frame. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
