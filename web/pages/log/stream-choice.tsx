import { useData } from '../../data/page-data.ts'
import type { LogStream, RunAddress } from '../../model/links.ts'

const streams: readonly LogStream[] = ['stdout', 'stderr', 'both']

interface Props {
  readonly address: RunAddress
  readonly step: string
  readonly chosen: LogStream
  readonly attempt?: number | undefined
}

/** Which of the two outputs of a step is shown, or both in the order of time. */
export function StreamChoice({ address, step, chosen, attempt }: Props) {
  const { links } = useData()
  return (
    <nav class="stream-choice" aria-label="Streams">
      {streams.map((stream) => (
        <a
          key={stream}
          class="stream-choice-link"
          href={links.log(address, { step, stream, ...(attempt !== undefined && { attempt }) })}
          {...(stream === chosen && { 'aria-current': 'page' as const })}
        >
          {stream}
        </a>
      ))}
    </nav>
  )
}
