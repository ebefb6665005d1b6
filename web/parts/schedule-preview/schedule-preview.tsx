import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { dayText, localTime, type LocalTime } from '../../model/local-time.ts'
import { Loaded } from '../load-state/load-state.tsx'

interface Props {
  /** The DAG against whose schedule it is compared. */
  readonly fileName: string
  /** A text with another schedule. */
  readonly spec: string
}

const days = 14
const firesShown = 12

/** How a text would change the fires of a DAG, before it is saved. */
export function SchedulePreview({ fileName, spec }: Props) {
  const { ask } = useData()
  const local = localTime()
  const reading = useQuery(['schedule', 'preview', fileName, spec], () =>
    ask('previewSchedule', { body: { name: fileName, spec, days } }),
  )
  return (
    <section class="schedule-preview" aria-label="Preview of the schedule">
      <Loaded reading={reading} what="what would change" rows={2}>
        {({ errors, added, removed, kept, adds, removes, collisions, suspended }) => {
          if (errors.length > 0) {
            return errors.map((error) => (
              <p key={error} role="alert">
                {error}
              </p>
            ))
          }
          return (
            <>
              <p>
                In the next {days} days it adds {added.toLocaleString('en')} fires, removes{' '}
                {removed.toLocaleString('en')} and keeps {kept.toLocaleString('en')}.
                {suspended && ' The DAG is suspended, so nothing fires.'}
              </p>
              <Fires title="Adds" fires={adds} all={added} local={local} />
              <Fires title="Removes" fires={removes} all={removed} local={local} />
              {collisions.length > 0 && (
                <p>
                  Busiest new times:{' '}
                  {collisions
                    .slice(0, 3)
                    .map(
                      ({ at, others }) =>
                        `${others} other ${others === 1 ? 'DAG' : 'DAGs'} at ${when(at, local)}`,
                    )
                    .join(', ')}
                </p>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const when = (at: string, local: LocalTime): string =>
  `${dayText(local.day(Date.parse(at)))} ${local.time(Date.parse(at))}`

interface FiresProps {
  readonly title: string
  readonly fires: readonly { readonly at: string; readonly kind: string }[]
  readonly all: number
  readonly local: LocalTime
}

function Fires({ title, fires, all, local }: FiresProps) {
  if (fires.length === 0) return null
  const shown = fires.slice(0, firesShown)
  return (
    <div>
      <h3 class="schedule-preview-title">{title}</h3>
      <ul class="schedule-preview-fires" aria-label={title}>
        {shown.map(({ at, kind }) => (
          <li key={`${at} ${kind}`}>
            <time dateTime={at}>{when(at, local)}</time>
            {kind !== 'start' && ` ${kind}`}
          </li>
        ))}
        {all > shown.length && <li class="quiet">and {(all - shown.length).toLocaleString('en')} more</li>}
      </ul>
    </div>
  )
}
