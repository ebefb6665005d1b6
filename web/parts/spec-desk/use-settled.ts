import { useLayoutEffect, useState } from 'preact/hooks'

/** A value once it has stayed the same for some milliseconds, which begin before the next frame; at first as it is. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
