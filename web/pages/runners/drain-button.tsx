import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { useAdminRefusal } from '../../data/refusal.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'
import type { Runner } from './runner-answer.ts'

/** Drains or resumes a runner. A runner that is shutting down cannot be resumed. */
export function DrainButton({ runner }: { readonly runner: Pick<Runner, 'id' | 'draining' | 'drainedBy'> }) {
  const { ask } = useData()
  const refusal = useAdminRefusal()
  const { id, draining, drainedBy } = runner
  const { isPending, fault, act } = useAction(['runners'])
  const send = (): Promise<unknown> => ask(draining ? 'resumeWorker' : 'drainWorker', { params: { id } })
  const ends = draining && drainedBy === undefined ? 'it is shutting down' : undefined
  return (
    <>
      <Button
        isPending={isPending}
        refusal={refusal ?? ends}
        onPress={() =>
          void act(`The runner ${id} was not changed`, `${id} ${draining ? 'claims runs' : 'drains'}`, send)
        }
      >
        {draining ? 'Resume' : 'Drain'}
        <span class="unseen"> {id}</span>
      </Button>
      {fault !== undefined && <Failure {...fault} />}
    </>
  )
}
