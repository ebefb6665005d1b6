import { Button } from '../../controls/button/button.tsx'
import { Switch } from '../../controls/switch/switch.tsx'

interface Props {
  readonly onZoom: (factor: number) => void
  readonly onWhole: () => void
  readonly isWhole: boolean
  readonly hidesSucceeded: boolean
  readonly onHide: (hides: boolean) => void
}

/** What the keys of the timeline do, as buttons. */
export function TimelineTools({ onZoom, onWhole, isWhole, hidesSucceeded, onHide }: Props) {
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
      <span class="step-timeline-hint quiet">Underlined: what decided when the run ended.</span>
    </div>
  )
}
