import { Button } from '../../controls/button/button.tsx'

import type { GraphLens } from './use-graph-view.ts'

interface Props {
  readonly lens: GraphLens
  /** Whether stacks are shown step by step. */
  readonly hasOpen: boolean
  readonly onFold: () => void
}

/** What the keys of the graph do, as buttons. */
export function GraphTools({ lens: { zoom, fit, reset }, hasOpen, onFold }: Props) {
  return (
    <div class="step-graph-tools">
      <Button onPress={() => zoom(1.25)}>Zoom in</Button>
      <Button onPress={() => zoom(0.8)}>Zoom out</Button>
      <Button onPress={fit}>Fit</Button>
      {hasOpen && (
        <Button
          onPress={() => {
            reset()
            onFold()
          }}
        >
          Fold equal steps
        </Button>
      )}
      <span class="step-graph-hint quiet">Drag to move. Arrow keys follow the edges.</span>
    </div>
  )
}
