import { closeSync, existsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { StepReference } from '#lib/definition/values/scope.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import { openRegularFile } from '#lib/files/open-regular-file.ts'
import { asStepUser, stepUser } from '#lib/privileges/step-identity.ts'
import { stepLogKey, type RunFacts } from '../inputs/run-facts.ts'

/** Values that texts refer to by step id, and the files to create before a process can read them. */
export interface StepReferences {
  readonly steps: ReadonlyMap<string, StepReference>
  /** Creates the files that texts have referred to so far. */
  readonly makeFiles: () => Promise<void>
}

/**
 * References to the steps that have started. A log file on this machine is used in place, unless steps have their own
 * user, which may not read it. Other logs are copied to the scratch folder when a text refers to them.
 */
export async function referToSteps(facts: RunFacts, progress: RunProgress): Promise<StepReferences> {
  const steps = new Map<string, StepReference>()
  const wanted = new Map<string, { index: number; stream: 'stdout' | 'stderr' }>()
  const withId = facts.plan.steps.flatMap(({ step: { id } }, index) =>
    id === undefined || progress.steps[index]?.startedAt === undefined ? [] : [{ id, index }],
  )
  if (withId.length === 0) return { steps, makeFiles: () => Promise.resolve() }
  const scratch = await facts.scratch()
  for (const { id, index } of withId) {
    const pathOf = (stream: 'stdout' | 'stderr'): string => {
      const local = facts.logs.localPath(stepLogKey(facts, index, stream))
      if (local !== undefined && stepUser() === undefined && existsSync(local)) return local
      const path = join(scratch, `${index}.${stream}`)
      wanted.set(path, { index, stream })
      return path
    }
    const { exitCode, outputs } = progress.steps[index] ?? { exitCode: undefined, outputs: {} }
    // Getters, so that only referenced logs are copied.
    steps.set(id, {
      get stdout() {
        return pathOf('stdout')
      },
      get stderr() {
        return pathOf('stderr')
      },
      exitCode,
      outputs,
    })
  }
  const makeFiles = async (): Promise<void> => {
    for (const [path, { index, stream }] of wanted) await copyLog(facts, index, stream, path)
  }
  return { steps, makeFiles }
}

async function copyLog(
  facts: RunFacts,
  index: number,
  stream: 'stdout' | 'stderr',
  path: string,
): Promise<void> {
  const what = `output of step ${facts.plan.steps[index]?.step.name}`
  const opening = { what, access: 'write', mode: 0o600, followsLinks: false } as const
  const file = asStepUser(() => openRegularFile(path, opening))
  try {
    for await (const bytes of facts.logs.read(stepLogKey(facts, index, stream), 0)) {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
    }
  } finally {
    closeSync(file)
  }
}
