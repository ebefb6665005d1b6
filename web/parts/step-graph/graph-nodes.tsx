import type { GraphItem } from '../../model/graph-items.ts'
import { cornerOf } from '../../model/graph-view.ts'
import type { GraphLayout } from '../../model/layered-layout.ts'
import { GraphNode } from './graph-node.tsx'
import type { GraphLens } from './use-graph-view.ts'

interface Props {
  readonly layout: GraphLayout
  readonly items: readonly GraphItem[]
  readonly lens: GraphLens
  /** The index of the box that is the Tab stop. */
  readonly stop: number
  /** The box of the step that is looked at elsewhere; -1: none. */
  readonly here: number
  readonly onStep: ((name: string) => void) | undefined
  readonly onFocus: (key: string) => void
  /** Opens a stack, to show its steps. */
  readonly onUnfold: (box: number, key: string) => void
}

/** The boxes that are elements: those in view, or when zoomed out only the Tab stop. */
export function GraphNodes({ layout, items, lens, stop, here, onStep, onFocus, onUnfold }: Props) {
  const { view, seen, isNear } = lens
  const shown = isNear ? [...new Set([...seen, stop])] : [stop]
  return (
    <div
      class="step-graph-layer"
      style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
    >
      {shown.map((box) => {
        const item = items[box]
        if (item === undefined) return null
        return (
          <GraphNode
            key={item.key}
            item={item}
            corner={cornerOf(layout, box)}
            isStop={box === stop}
            isHere={box === here}
            onStep={onStep}
            magnified={isNear ? 1 : Math.max(1, 1 / view.scale)}
            onFocus={() => onFocus(item.key)}
            onOpen={() => onUnfold(box, item.key)}
          />
        )
      })}
    </div>
  )
}
