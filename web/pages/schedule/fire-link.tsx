import { useData } from '../../data/page-data.ts'
import type { Fire } from '../../model/agenda.ts'
import { localTime, type LocalTime } from '../../model/local-time.ts'

/** The DAG that fires, the action, and the time in the zone of its schedule if that differs. */
export function FireLink({ fire, local }: { readonly fire: Fire; readonly local: LocalTime }) {
  const { links } = useData()
  const { fileName, kind, suspended, zone, at } = fire
  const own = zone === undefined ? undefined : localTime(zone).time(Date.parse(at))
  const remarks = [
    kind === 'start' ? '' : kind === 'stop' ? 'stops' : 'restarts',
    own === undefined || own === local.time(Date.parse(at)) ? '' : `${own} in ${zone}`,
    suspended === true ? 'suspended' : '',
  ].filter((remark) => remark !== '')
  return (
    <li>
      <a class="schedule-table-dag" href={links.dag(fileName, 'schedule')}>
        {fileName}
      </a>
      {remarks.length > 0 && <span class="quiet"> {remarks.join(', ')}</span>}
    </li>
  )
}
