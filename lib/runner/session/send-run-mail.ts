import type { FinalRunStatus } from '#lib/core/status.ts'
import { limits } from '#lib/core/limits.ts'
import type { MailTemplate } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import { changedSteps } from '#lib/engine/changed-steps.ts'
import { plannedAt } from '#lib/engine/plan.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { ExecutorSettings } from '#lib/executors/executor.ts'
import { addressRule } from '#lib/executors/metadata-addresses.ts'
import type { Mail } from '#lib/executors/mail/send-mail.ts'
import { stepLogKey, type RunFacts } from '../inputs/run-facts.ts'
import type { RunChange } from './run-effects.ts'
import type { StepScope } from '../steps/step-context.ts'

/** The subject of a mail: the end of the run, or a step that failed after its last retry. */
export interface MailEvent {
  readonly progress: RunProgress
  readonly status: FinalRunStatus
  /** Undefined for the run itself. */
  readonly step?: string
}

/** Time limit for sending a mail, including its values and attachments. */
export const mailTimeoutMs = 60_000

/** The mails that a change causes: for steps that failed after their last retry, and for the end of the run. */
export function mailEvents(facts: RunFacts, { before, after, end }: RunChange): [MailTemplate, MailEvent][] {
  const { errorMail } = facts.definition
  const failed = changedSteps(before, after).flatMap((index): [MailTemplate, MailEvent][] => {
    const { step } = plannedAt(facts.plan, index)
    const hasFailed = after.steps[index]?.status === 'failed' && before.steps[index]?.status !== 'failed'
    if (!hasFailed || !step.mailOnError || errorMail === undefined) return []
    return [[errorMail, { progress: after, status: 'failed', step: step.name }]]
  })
  if (end === undefined || 'release' in end) return failed
  const { status } = end.finish
  const template = templateFor(facts, status)
  return template === undefined ? failed : [...failed, [template, { progress: after, status }]]
}

/** The mail that the DAG configures for the end of a run. */
function templateFor({ definition }: RunFacts, status: FinalRunStatus): MailTemplate | undefined {
  const isSuccess = status === 'success' || status === 'partial_success'
  if (isSuccess) return definition.mailOn.success ? definition.infoMail : undefined
  return definition.mailOn.failure ? definition.errorMail : undefined
}

/** The content of a mail. Its addresses come from a template. */
export interface MailContent {
  /** Name of the DAG, and of the step if the mail is about one. */
  readonly about: string
  readonly status: FinalRunStatus
  readonly text: string
  readonly attachments: Mail['attachments']
}

/**
 * Sends a mail about a run that was started.
 * @throws Error when it cannot be sent
 */
export async function sendRunMail(
  facts: RunFacts,
  template: MailTemplate,
  event: MailEvent,
  { scope, settings }: { readonly scope: StepScope; readonly settings: ExecutorSettings },
): Promise<void> {
  const content = {
    about: event.step === undefined ? facts.dagName : `${facts.dagName}, step ${event.step}`,
    status: event.status,
    text: mailText(facts, event),
    attachments: template.attachLogs ? await logAttachments(facts, event) : [],
  }
  const fill = (text: string): Promise<string> => expand(text, scope.scope, scope.substitution)
  await sendContent(facts.definition, template, content, { fill, settings })
}

/**
 * Sends a mail through the `smtp` of the DAG.
 * @param fill expands a text of the file
 * @throws Error when it cannot be sent
 */
export async function sendContent(
  { smtp }: Pick<RunFacts['definition'], 'smtp'>,
  template: MailTemplate,
  { about, status, text, attachments }: MailContent,
  {
    fill,
    settings,
  }: { readonly fill: (text: string) => Promise<string>; readonly settings: ExecutorSettings },
): Promise<void> {
  if (smtp === undefined) throw new Error('the DAG has no smtp server to send mail through')
  const [host, port, username, password, from, prefix] = await Promise.all(
    [smtp.host, smtp.port, smtp.username ?? '', smtp.password ?? '', template.from, template.prefix].map(
      fill,
    ),
  )
  const login = smtp.username === undefined ? {} : { username: username ?? '', password: password ?? '' }
  const mail: Mail = {
    from: oneLine(from ?? ''),
    to: (await Promise.all(template.to.map(fill))).map(oneLine),
    subject: oneLine(`${prefix ?? ''} ${about} (${status.replaceAll('_', ' ')})`),
    text,
    attachments,
  }
  const server = { host: host ?? '', port: port ?? '', ...login }
  // Loaded with the first mail, to keep runners without mails small.
  const { sendMail } = await import('#lib/executors/mail/send-mail.ts')
  await sendMail({ username: undefined, password: undefined, ...server }, mail, {
    signal: AbortSignal.timeout(mailTimeoutMs),
    isAllowed: addressRule(settings.httpAllow),
  })
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').trim()
}

function mailText(facts: RunFacts, { progress, status }: MailEvent): string {
  const lines = facts.plan.steps.flatMap(({ step }, index) => {
    const now = progress.steps[index]
    if (now === undefined) return []
    const why = now.error === '' ? '' : `\n    ${now.error.replaceAll('\n', '\n    ')}`
    return [`${step.name}: ${now.status.replaceAll('_', ' ')}${why}`]
  })
  return `${mailHeading(facts, status)}\n\n${lines.join('\n')}\n`
}

/** The first line of a mail. */
export function mailHeading(
  { dagName, runId, attempt }: Pick<RunFacts, 'dagName' | 'runId' | 'attempt'>,
  status: FinalRunStatus,
): string {
  return `DAG ${dagName}, run ${runId}, attempt ${attempt}: ${status.replaceAll('_', ' ')}`
}

/** The ends of all non-empty logs of steps. */
async function logAttachments(facts: RunFacts, { step: wanted }: MailEvent): Promise<Mail['attachments']> {
  const streams = facts.plan.steps.flatMap(({ step }, index) =>
    wanted === undefined || step.name === wanted
      ? (['stdout', 'stderr'] as const).map((stream) => ({ step, index, stream }))
      : [],
  )
  const files: { filename: string; content: Buffer }[] = []
  for (const { step, index, stream } of streams) {
    const key = stepLogKey(facts, index, stream)
    if (key.stream !== stream) continue
    const { bytes } = await facts.logs.end(key)
    if (bytes === 0) continue
    const pieces: Uint8Array[] = []
    for await (const piece of facts.logs.read(key, Math.max(0, bytes - limits.mailLogBytesMax)))
      pieces.push(piece)
    files.push({ filename: `${step.name}.${stream}.log`, content: Buffer.concat(pieces) })
  }
  return files
}
