import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'

/** The zone in which times are shown: an IANA name; undefined for that of the browser. */
export const ZoneContext = createContext<string | undefined>(undefined)

/** Writes times of the page. @param timeStyle `long` has the zone */
export function useMoment(timeStyle: 'short' | 'long'): (atMs: number) => string {
  const timeZone = useContext(ZoneContext)
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle, timeZone })
    return (atMs) => format.format(atMs)
  }, [timeZone, timeStyle])
}
