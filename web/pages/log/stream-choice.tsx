import { useData } from '../../data/page-data.ts'
import type { LogStream, RunPlace } from '../../model/links.ts'

const streams: readonly LogStream[] = ['stdout', 'stderr', 'both']

interface Props {
  readonly place: RunPlace
  readonly step: string
  readonly chosen: LogStream
  readonly attempt?: number | undefined
}

/** Which of the two outputs of a step is shown, or both in the order of time. */
export function StreamChoice({ place, step, chosen, attempt }: Props) {
  const { links } = useData()
  return (
    <nav class="stream-choice" aria-label="Streams">
      {streams.map((stream) => (
        <a
          key={stream}
          class="stream-choice-link"
          href={links.log(place, { step, stream, ...(attempt !== undefined && { attempt }) })}
          {...(stream === chosen && { 'aria-current': 'page' as const })}
        >
          {stream}
        </a>
      ))}
    </nav>
  )
}
