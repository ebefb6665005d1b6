import { useEffect, useState } from 'preact/hooks'
import { Switch } from '../../controls/switch/switch.tsx'
import { useRunRefusal } from '../../data/refusal.ts'
import { useData } from '../../data/page-data.ts'

interface Props {
  readonly fileName: string
  readonly isSuspended: boolean
  /** Whether its name stands beside it. */
  readonly isLabelled?: boolean
}

/** Suspends or resumes the schedule of a DAG. It shows the requested state at once. */
export function ScheduledSwitch({ fileName, isSuspended, isLabelled = false }: Props) {
  const { ask, cache, said } = useData()
  const refusal = useRunRefusal()
  const [asked, setAsked] = useState<boolean>()
  useEffect(() => setAsked(undefined), [isSuspended])
  async function change(isOn: boolean): Promise<void> {
    setAsked(!isOn)
    try {
      await ask('suspendDag', { params: { fileName }, body: { suspend: !isOn } })
      said.value = isOn ? `${fileName} follows its schedule` : `${fileName} is suspended`
    } catch (thrown) {
      setAsked(undefined)
      said.value = `${fileName} was not changed: ${(thrown as Error).message}`
    }
    await cache.invalidateQueries({ predicate: ({ queryKey }) => /^dags?$/.test(String(queryKey[0])) })
  }
  return (
    <Switch
      name="Scheduled"
      isOn={!(asked ?? isSuspended)}
      refusal={refusal}
      isLabelled={isLabelled}
      onChange={(isOn) => void change(isOn)}
    />
  )
}
