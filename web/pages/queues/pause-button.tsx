import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { useAdminRefusal } from '../../data/refusal.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'
import type { QueueFacts } from './queue-answer.ts'

/** Pauses a queue, or resumes it. */
export function PauseButton({ queue }: { readonly queue: Pick<QueueFacts, 'name' | 'paused'> }) {
  const { ask } = useData()
  const refusal = useAdminRefusal()
  const { name, paused } = queue
  const { isPending, fault, act } = useAction(['queues'])
  const send = (): Promise<unknown> => ask('controlQueue', { params: { name }, body: { paused: !paused } })
  return (
    <>
      <Button
        isPending={isPending}
        refusal={refusal}
        onPress={() =>
          void act(`The queue ${name} was not changed`, `${name} is ${paused ? 'resumed' : 'paused'}`, send)
        }
      >
        {paused ? 'Resume' : 'Pause'}
        <span class="unseen"> {name}</span>
      </Button>
      {fault !== undefined && <Failure {...fault} />}
    </>
  )
}
