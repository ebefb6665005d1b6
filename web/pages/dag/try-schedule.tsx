import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { SchedulePreview } from '../../parts/schedule-preview/schedule-preview.tsx'

/** A spec with only a schedule, one entry per line, as JSON, which is valid YAML. */
const specOf = (text: string): string =>
  JSON.stringify({
    schedule: text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    steps: [{ name: 'step', command: 'true' }],
  })

/** Shows what another schedule would change, without saving anything. */
export function TrySchedule({ fileName }: { readonly fileName: string }) {
  const [text, setText] = useState('')
  const [tried, setTried] = useState('')
  return (
    <section class="dag-schedule-part" aria-label="Try another schedule">
      <h2>Try another schedule</h2>
      <form
        class="dag-schedule-try"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(text)
        }}
      >
        <label>
          <span class="quiet">
            Starts, one per line, such as 0 4 * * mon-fri or CRON_TZ=Europe/Berlin 30 6 * * *
          </span>
          <textarea
            class="dag-schedule-text"
            aria-label="Schedule"
            rows={2}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <Button type="submit" onPress={() => undefined}>
          Preview
        </Button>
      </form>
      {tried.trim() !== '' && <SchedulePreview fileName={fileName} spec={specOf(tried)} />}
    </section>
  )
}
