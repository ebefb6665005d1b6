import type { InferOutput } from 'valibot'
import type { ResourceSample } from '#lib/api/metrics/resources.ts'
import type { ResourceHistory } from '../schemas/service.ts'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/**
 * The samples of the last `duration`, one list per resource, oldest first.
 * @param samples oldest first; the newest was taken for this call
 * @param duration a number with `s`, `m` or `h`
 */
export function presentSamples(
  samples: readonly ResourceSample[],
  duration: string,
): InferOutput<typeof ResourceHistory> {
  const spanMs = 1_000 * Number.parseInt(duration, 10) * (secondsOf[duration.slice(-1)] ?? 1)
  const since = (samples.at(-1)?.at ?? 0) - spanMs
  const shown = samples.filter(({ at }) => at >= since)
  const list = (value: (sample: ResourceSample) => number) =>
    shown.map((sample) => ({ timestamp: Math.floor(sample.at / 1_000), value: value(sample) }))
  return {
    cpu: list(({ cpu }) => cpu),
    memory: list(({ memory }) => memory),
    disk: list(({ disk }) => disk),
    load: list(({ load }) => load),
  }
}
