import { messageOf } from '#lib/core/errors.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { readSecrets } from '../inputs/secrets.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { mailHeading, sendContent } from './send-run-mail.ts'

/**
 * Sends the failure mail of a run that could not be started, if its DAG configures one.
 * @param error why it could not be started, with secrets masked
 */
export async function mailUnstartedRun(
  run: ClaimedRun,
  definition: Definition,
  error: string,
  runner: RunnerDeps,
): Promise<void> {
  const { mailOn, errorMail } = definition
  if (!mailOn.failure || errorMail === undefined) return
  const { dagName: about, runId } = run
  const status = 'failed'
  const content = {
    about,
    status,
    text: `${mailHeading(run, status)}\n\n${error}\n`,
    attachments: [],
  } as const
  try {
    const variables = await readableVariables(definition, runner)
    const fill = (text: string): Promise<string> => expandText(text, variables)
    await sendContent(definition, errorMail, content, { fill, settings: runner.executors })
  } catch (failure) {
    runner.log.warn(
      { event: 'mail.failed', runId, dag: about, why: messageOf(failure) },
      'a mail was not sent',
    )
  }
}

/** Environment and secrets, except those that cannot be read: one of them may be why the run was not started. */
async function readableVariables(definition: Definition, runner: RunnerDeps): Promise<Map<string, string>> {
  const { inherited, environment, dagsDir, workDir, fileBounds = [] } = runner
  const variables = new Map(inherited)
  const context = { environment, workingDir: dagsDir ?? workDir, bounds: fileBounds }
  for (const { name, value } of definition.env) {
    try {
      variables.set(name, await expandText(value, variables))
    } catch {
      // A reference to it expands to an empty text.
    }
  }
  for (const source of definition.secrets) {
    try {
      for (const [name, value] of readSecrets([source], context)) variables.set(name, value)
    } catch {
      // As above.
    }
  }
  return variables
}

/** Expands a text without executing commands. */
async function expandText(text: string, variables: ReadonlyMap<string, string>): Promise<string> {
  return await expand(text, { variables, positional: [], steps: new Map() }, (command) =>
    Promise.reject(new Error(`\`${command}\` is not executed: the run was not started`)),
  )
}
