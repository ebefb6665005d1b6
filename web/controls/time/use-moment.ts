import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'

/** How times are shown. */
export interface TimeView {
  /** An IANA name; undefined for that of the browser. */
  readonly zone: string | undefined
  /** Exact times instead of relative ones. */
  readonly isExact: boolean
}

export const TimeContext = createContext<TimeView>({ zone: undefined, isExact: false })

/** Writes times of the page. @param timeStyle `long` has the zone */
export function useMoment(timeStyle: 'short' | 'medium' | 'long'): (atMs: number) => string {
  const { zone } = useContext(TimeContext)
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle, timeZone: zone })
    return (atMs) => format.format(atMs)
  }, [zone, timeStyle])
}
