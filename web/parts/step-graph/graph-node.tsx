import { itemText, sharesText, type GraphItem } from '../../model/graph-items.ts'
import type { Point } from '../../model/graph-view.ts'
import { stateWord } from '../../model/states.ts'
import { StateMark } from '../state-mark/state-mark.tsx'

interface Props {
  readonly item: GraphItem
  readonly corner: Point
  /** The only Tab stop. */
  readonly isStop: boolean
  /** Its step is selected elsewhere. */
  readonly isHere: boolean
  readonly onStep: ((name: string) => void) | undefined
  /** Its scale relative to its surroundings, so that it can be read when zoomed out. */
  readonly magnified: number
  readonly onOpen: () => void
  readonly onFocus: () => void
}

/** A step of the graph, or a stack of equal ones. */
export function GraphNode({ item, corner: { x, y }, magnified, onOpen, onFocus, ...rest }: Props) {
  const { isStop, isHere, onStep } = rest
  const { state, name, count, href } = item
  const isStack = count > 1
  const kind = isStack ? 'step-graph-node step-graph-stack' : 'step-graph-node'
  const common = {
    class: `${kind}${item.isOnPath ? ' step-graph-on-path' : ''}`,
    style: { translate: `${x}px ${y}px`, ...(magnified !== 1 && { scale: String(magnified) }) },
    tabIndex: isStop ? 0 : -1,
    title: itemText(item),
    'data-box': item.key,
    ...(isHere && { 'aria-current': true }),
    onFocus,
  }
  const content = (
    <>
      {state !== undefined && <StateMark state={state} />}
      <span class="step-graph-text">
        <span class="step-graph-name">{isStack ? `${name} × ${count}` : name}</span>{' '}
        {isStack ? <Shares item={item} /> : <Note item={item} />}
      </span>
    </>
  )
  if (!isStack && href !== undefined) {
    return (
      <a {...common} href={href} draggable={false}>
        {content}
      </a>
    )
  }
  return (
    <button
      {...common}
      type="button"
      {...(isStack
        ? { 'aria-expanded': false, onClick: onOpen }
        : onStep === undefined
          ? { 'aria-disabled': true }
          : { onClick: () => onStep(name) })}
    >
      {content}
    </button>
  )
}

function Note({ item: { state, note } }: { readonly item: GraphItem }) {
  const text = [state === undefined ? '' : stateWord(state), note].filter((part) => part !== '').join(' · ')
  return text === '' ? null : <span class="step-graph-note">{text}</span>
}

/** The states of the steps of a stack, each as wide as it has steps. */
function Shares({ item }: { readonly item: GraphItem }) {
  return (
    <span class="step-graph-shares">
      <span class="unseen">{sharesText(item)}</span>
      {item.shares.map(([state, count]) => (
        <span key={state} class={`step-graph-share state-mark-${state}`} style={{ flexGrow: count }} />
      ))}
    </span>
  )
}
