import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'
import type { QueueFacts } from './queue-answer.ts'

/** Asks how many runs of a queue may be active at once. */
export function LimitDialog({
  queue,
  onClose,
}: {
  readonly queue: QueueFacts
  readonly onClose: () => void
}) {
  const { ask } = useData()
  const [text, setText] = useState(String(queue.limit))
  const { isPending, fault, act } = useAction(['queues'])
  const { name, limitOverride } = queue
  const isFit = /^[1-9]\d{0,5}$/.test(text)
  async function set(limit: number | null, done: string): Promise<void> {
    await act('The limit was not changed', done, async () => {
      await ask('controlQueue', { params: { name }, body: { limit } })
      onClose()
    })
  }
  return (
    <Dialog title={`Limit of ${name}`} onClose={onClose}>
      <form
        class="limit-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          if (isFit) void set(Number(text), `up to ${text} runs of ${name} may be active at once`)
        }}
      >
        <label class="limit-dialog-label">
          Runs at the same time
          <input
            class="limit-dialog-field"
            type="number"
            min="1"
            max="999999"
            required
            value={text}
            aria-describedby="limit-about"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p id="limit-about" class="quiet">
          It overrides the limit of the settings and of the DAGs until you clear it. Runs that go on already
          are not stopped.
        </p>
        {fault !== undefined && <Failure {...fault} />}
        <div class="limit-dialog-actions">
          <Button isMain isPending={isPending} type="submit" onPress={() => undefined}>
            Set the limit
          </Button>
          {limitOverride !== undefined && (
            <Button isPending={isPending} onPress={() => void set(null, `${name} has its own limit again`)}>
              Clear
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
