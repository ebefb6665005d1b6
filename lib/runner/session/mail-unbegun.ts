import { messageOf } from '#lib/core/errors.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { readSecrets } from '../inputs/secrets.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { headOf, sendContent } from './send-run-mail.ts'

/**
 * Sends the mail about a run that could not be begun, if its DAG wants one when it fails.
 * @param error why, without secrets
 */
export async function mailUnbegun(
  run: ClaimedRun,
  definition: Definition,
  error: string,
  runner: RunnerDeps,
): Promise<void> {
  const { mailOn, errorMail } = definition
  if (!mailOn.failure || errorMail === undefined) return
  const { dagName: about, runId } = run
  const status = 'failed'
  const content = { about, status, text: `${headOf(run, status)}\n\n${error}\n`, attachments: [] } as const
  try {
    const variables = await readableVariables(definition, runner)
    const fill = (text: string): Promise<string> => filled(text, variables)
    await sendContent(definition, errorMail, content, { fill, settings: runner.executors })
  } catch (failure) {
    runner.log.warn(
      { event: 'mail.failed', runId, dag: about, why: messageOf(failure) },
      'a mail was not sent',
    )
  }
}

/** Environment and secrets, without those that cannot be read: one of them may be why the run was not begun. */
async function readableVariables(definition: Definition, runner: RunnerDeps): Promise<Map<string, string>> {
  const { inherited, environment, dagsDir, workDir, fileBounds = [] } = runner
  const variables = new Map(inherited)
  const places = { environment, workingDir: dagsDir ?? workDir, bounds: fileBounds }
  for (const { name, value } of definition.env) {
    try {
      variables.set(name, await filled(value, variables))
    } catch {
      // What refers to it is empty.
    }
  }
  for (const source of definition.secrets) {
    try {
      for (const [name, value] of readSecrets([source], places)) variables.set(name, value)
    } catch {
      // Likewise.
    }
  }
  return variables
}

/** Nothing is executed for a run that was not begun. */
async function filled(text: string, variables: ReadonlyMap<string, string>): Promise<string> {
  return await expand(text, { variables, positional: [], steps: new Map() }, (command) =>
    Promise.reject(new Error(`\`${command}\` is not executed: the run was not begun`)),
  )
}
