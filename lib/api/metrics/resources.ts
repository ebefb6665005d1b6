import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { statfs } from 'node:fs/promises'
import { limits } from '#lib/core/limits.ts'

/** How busy the machine was at a time, in milliseconds since 1970. Percent, except `load`. */
export interface ResourceSample {
  readonly at: number
  /** Since the sample before; of the first one, since the machine started. */
  readonly cpu: number
  readonly memory: number
  readonly disk: number
  /** Average of one minute. */
  readonly load: number
}

export interface Resources {
  /** Samples of up to an hour, oldest first. The last one is younger than `limits.resourceSampleMs`. */
  read(): Promise<readonly ResourceSample[]>
}

/** Takes a sample only on request: an instance that nobody watches does nothing. */
export function createResources(now: () => number): Resources {
  let samples: readonly ResourceSample[] = []
  let before = { busy: 0, all: 0 }
  const sample = async (at: number): Promise<ResourceSample> => {
    const disk = await statfs('/')
    const times = processorTimes()
    const cpu = percent(times.busy - before.busy, times.all - before.all)
    before = times
    return {
      at,
      cpu,
      memory: percent(totalmem() - freemem(), totalmem()),
      disk: percent(disk.blocks - disk.bfree, disk.blocks - disk.bfree + disk.bavail),
      load: loadavg()[0] ?? 0,
    }
  }
  return {
    async read() {
      const at = now()
      const last = samples.at(-1)
      if (last !== undefined && at - last.at < limits.resourceSampleMs) return samples
      const taken = await sample(at)
      samples = [...samples.filter((one) => one.at < at), taken].slice(-limits.resourceSamplesMax)
      return samples
    },
  }
}

/** Milliseconds of all cores since the machine started. */
function processorTimes(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 }
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    sum.all += all
    sum.busy += all - times.idle
  }
  return sum
}

const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : (100 * part) / whole)
