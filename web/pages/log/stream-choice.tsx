import { useData } from '../../data/page-data.ts'
import type { RunPlace } from '../../parts/step-table/step-name.tsx'

export type Stream = 'stdout' | 'stderr'

const streams: readonly Stream[] = ['stdout', 'stderr']

interface Props {
  readonly place: RunPlace
  readonly step: string
  readonly chosen: Stream
}

/** Which of the two outputs of a step is shown. */
export function StreamChoice({ place, step, chosen }: Props) {
  const { links } = useData()
  return (
    <nav class="stream-choice" aria-label="Streams">
      {streams.map((stream) => (
        <a
          key={stream}
          class="stream-choice-link"
          href={links.log(place.name, place.runId, { step, stream })}
          {...(stream === chosen && { 'aria-current': 'page' as const })}
        >
          {stream}
        </a>
      ))}
    </nav>
  )
}
