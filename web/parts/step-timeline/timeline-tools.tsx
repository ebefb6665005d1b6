import { Button } from '../../controls/button/button.tsx'
import { Switch } from '../../controls/switch/switch.tsx'

interface Props {
  readonly onZoom: (factor: number) => void
  readonly onWhole: () => void
  readonly isWhole: boolean
  readonly hidesSucceeded: boolean
  readonly onHide: (hides: boolean) => void
  /** Undefined: there is no long pause. */
  readonly cutsIdle: boolean | undefined
  readonly onCutIdle: (cuts: boolean) => void
}

/** What the keys of the timeline do, as buttons. */
export function TimelineTools(props: Props) {
  const { onZoom, onWhole, isWhole, hidesSucceeded, onHide, cutsIdle, onCutIdle } = props
  return (
    <div class="step-timeline-tools">
      <Button onPress={() => onZoom(2)}>Zoom in</Button>
      <Button isPending={isWhole} onPress={() => onZoom(0.5)}>
        Zoom out
      </Button>
      <Button isPending={isWhole} onPress={onWhole}>
        Whole run
      </Button>
      <Switch name="Hide what succeeded" isLabelled isOn={hidesSucceeded} onChange={onHide} />
      {cutsIdle !== undefined && (
        <Switch name="Cut idle time" isLabelled isOn={cutsIdle} onChange={onCutIdle} />
      )}
      <span class="step-timeline-hint quiet">Underlined: the critical path.</span>
    </div>
  )
}
