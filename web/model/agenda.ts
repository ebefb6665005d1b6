import type { LocalTime } from './local-time.ts'

/** A time of a schedule, as the API has it. */
export interface Fire {
  readonly at: string
  readonly fileName: string
  readonly kind: string
  readonly zone?: string
  readonly suspended?: boolean
  readonly run?: {
    readonly dagRunId: string
    readonly name: string
    readonly status: number
    readonly lateMs: number
  }
  readonly missed?: string
  readonly overdue?: boolean
}

export interface ClockChange {
  readonly at: string
  readonly zone: string
  readonly minutes: number
}

/** What happens in one minute. */
export interface Moment {
  readonly at: string
  readonly fires: readonly Fire[]
  /** Clock changes at this moment or since the previous one. */
  readonly changes: readonly ClockChange[]
}

export interface AgendaDay {
  readonly day: string
  readonly moments: readonly Moment[]
}

/** Groups fires by day and minute, in order. @param changes belong to the moment that follows them */
export function agendaDays(
  fires: readonly Fire[],
  changes: readonly ClockChange[],
  local: LocalTime,
): AgendaDay[] {
  const days: { day: string; moments: { at: string; fires: Fire[]; changes: ClockChange[] }[] }[] = []
  const open = changes.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  for (const fire of fires) {
    const day = local.day(Date.parse(fire.at))
    if (days.at(-1)?.day !== day) days.push({ day, moments: [] })
    const moments = days.at(-1)?.moments
    const moment = moments?.at(-1)
    if (moment?.at === fire.at) {
      moment.fires.push(fire)
      continue
    }
    const before = open.filter(({ at }) => Date.parse(at) <= Date.parse(fire.at))
    open.splice(0, before.length)
    moments?.push({ at: fire.at, fires: [fire], changes: before })
  }
  return days
}

/** DAGs that fire at least hourly within the list of fires, and would hide the others. */
export function frequentDags(fires: readonly Fire[]): ReadonlySet<string> {
  const seen = new Map<
    string,
    { readonly count: number; readonly firstMs: number; readonly lastMs: number }
  >()
  for (const { fileName, at } of fires) {
    const [atMs, known] = [Date.parse(at), seen.get(fileName)]
    seen.set(fileName, { count: (known?.count ?? 0) + 1, firstMs: known?.firstMs ?? atMs, lastMs: atMs })
  }
  const isFrequent = ({
    count,
    firstMs,
    lastMs,
  }: {
    count: number
    firstMs: number
    lastMs: number
  }): boolean => count > 1 && (lastMs - firstMs) / (count - 1) <= 3_600_000
  return new Set([...seen].filter(([, found]) => isFrequent(found)).map(([fileName]) => fileName))
}

/** `the clock in Europe/Berlin goes back 60 min at 03:00` */
export function changeText({ at, zone, minutes }: ClockChange, local: LocalTime): string {
  const way = minutes > 0 ? 'goes forward' : 'goes back'
  return `the clock in ${zone} ${way} ${Math.abs(minutes)} min at ${local.time(Date.parse(at))}`
}

/** The first moments, up to a maximum. */
export function firstMoments(days: readonly AgendaDay[], count: number): AgendaDay[] {
  let left = count
  return days.flatMap(({ day, moments }) => {
    const shown = moments.slice(0, Math.max(0, left))
    left -= shown.length
    return shown.length === 0 ? [] : [{ day, moments: shown }]
  })
}

/** How many DAGs start in the fires of a moment; suspended ones do not. */
export const startsOf = (fires: readonly Fire[]): number =>
  new Set(
    fires
      .filter(({ kind, suspended }) => kind !== 'stop' && suspended !== true)
      .map(({ fileName }) => fileName),
  ).size
