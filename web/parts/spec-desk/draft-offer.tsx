import { Button } from '../../controls/button/button.tsx'
import type { Draft } from '../../data/drafts.ts'

interface Props {
  readonly draft: Draft
  /** Whether it is based on another text than the stored one. */
  readonly isOutdated: boolean
  readonly onContinue: () => void
  readonly onCompare: () => void
  readonly onDiscard: () => void
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An earlier draft, and what can be done with it. */
export function DraftOffer({ draft, isOutdated, onContinue, onCompare, onDiscard }: Props) {
  return (
    <section class="draft-offer" aria-label="Draft">
      <p>
        There is a draft of {moment.format(draft.atMs)} that was not saved.
        {isOutdated && ' The DAG has been saved since. Saving merges both changes.'}
      </p>
      <Button isMain onPress={onContinue}>
        Continue
      </Button>
      <Button onPress={onCompare}>Compare</Button>
      <Button onPress={onDiscard}>Discard</Button>
    </section>
  )
}
