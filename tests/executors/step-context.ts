import { tmpdir } from 'node:os'
import type { Step } from '#lib/definition/definition.ts'
import type { StepContext } from '#lib/executors/executor.ts'

export interface Watched {
  readonly context: StepContext
  readonly controller: AbortController
  readonly groups: { pgid: number; alive: boolean }[]
  readonly stdout: () => string
  readonly stderr: () => string
  /** Settles when standard output holds the text. */
  readonly printed: (text: string) => Promise<void>
}

/** The context of one attempt of a step, which records everything that the step does. */
export function stepContext(given: Partial<StepContext> & { signalOnStop?: string } = {}): Watched {
  const controller = new AbortController()
  const groups: { pgid: number; alive: boolean }[] = []
  const out: Buffer[] = []
  const err: Buffer[] = []
  const waiting: { text: string; resolve: () => void }[] = []
  const { signalOnStop = 'SIGTERM', ...rest } = given
  const stdout = (): string => Buffer.concat(out).toString()
  const context: StepContext = {
    step: { name: 'step', signalOnStop, env: [] as Step['env'] } as Step,
    commands: [],
    script: undefined,
    config: {},
    env: { PATH: process.env['PATH'] ?? '' },
    positional: [],
    workingDir: tmpdir(),
    shell: { argv: ['sh'], explicit: false },
    stdout: (bytes) => {
      out.push(Buffer.from(bytes))
      for (const wait of waiting) if (stdout().includes(wait.text)) wait.resolve()
      return undefined
    },
    stderr: (bytes) => {
      err.push(Buffer.from(bytes))
      return undefined
    },
    signal: controller.signal,
    cleanUpMs: 1_000,
    onProcessGroup: (event) => groups.push(event),
    settings: { httpAllow: [], jqPath: undefined },
    ...rest,
  }
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ text, resolve })
      if (stdout().includes(text)) resolve()
    })
  return { context, controller, groups, stdout, stderr: () => Buffer.concat(err).toString(), printed }
}
