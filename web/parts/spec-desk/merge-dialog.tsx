import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { Toggles } from '../../controls/toggles/toggles.tsx'
import { LazyMerge } from '../spec-editor/lazy-editor.tsx'

interface Props {
  /** The text that both began with, mine, and the one that is stored now. */
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly isPending: boolean
  readonly onSave: (text: string) => void
  readonly onClose: () => void
}

const besides = [
  ['theirs', 'Theirs'],
  ['mine', 'Mine'],
  ['base', 'Before both'],
] as const

/** Another user has saved: the changes of both are merged, and reviewed before saving. */
export function MergeDialog({ base, mine, theirs, isPending, onSave, onClose }: Props) {
  const [beside, setBeside] = useState<'theirs' | 'mine' | 'base'>('theirs')
  const [merged, setMerged] = useState<string>()
  const [conflicts, setConflicts] = useState(0)
  return (
    <Dialog title="Changed meanwhile" onClose={onClose} isWide>
      <About conflicts={conflicts} />
      <div class="merge-dialog-bar">
        <span aria-hidden="true">Compare with</span>
        <Toggles
          name="Compare with"
          toggles={besides.map(([key, name]) => ({
            name,
            isOn: key === beside,
            onPress: () => setBeside(key),
          }))}
        />
      </div>
      <LazyMerge
        base={base}
        mine={mine}
        theirs={theirs}
        beside={beside}
        onMerged={(text, count) => {
          setMerged(text)
          if (count !== undefined) setConflicts(count)
        }}
      />
      <div class="merge-dialog-bar">
        <Button
          isMain
          isPending={isPending || merged === undefined}
          onPress={() => merged !== undefined && onSave(merged)}
        >
          Save merged
        </Button>
        <Button isPending={isPending} onPress={() => onSave(mine)}>
          Keep mine
        </Button>
        <Button isPending={isPending} onPress={() => onSave(theirs)}>
          Take theirs
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Dialog>
  )
}

/** @param conflicts how often both have changed the same lines */
function About({ conflicts }: { readonly conflicts: number }) {
  return (
    <>
      <p>
        Somebody has saved this DAG since you opened it.{' '}
        <span class="merge-dialog-beside">
          On the right is the merged text, which can be changed; the arrows take over what stands on the left.
        </span>
        <span class="merge-dialog-within">
          This is the merged text, which can be changed. Struck through is what the other text has instead.
        </span>
      </p>
      {conflicts > 0 && (
        <p role="status">
          <b>
            Both have changed the same lines {conflicts === 1 ? 'once' : `${conflicts} times`}. There the
            merged text has yours.
          </b>
        </p>
      )}
    </>
  )
}
