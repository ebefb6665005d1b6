import { messageOf } from '#lib/core/errors.ts'
import type { MailTemplate } from '#lib/definition/definition.ts'
import { endLine, eventLine } from '../log/run-log-lines.ts'
import { surroundRun } from '../steps/step-context.ts'
import { performAction, supervised, type EffectDeps } from './perform-action.ts'
import { recordItem } from './record-item.ts'
import type { RunEffects } from './run-effects.ts'
import { mailEvents, mailWithinMs, sendRunMail, type MailEvent } from './send-run-mail.ts'

/** Performs the effects of one run on this machine and the database. `mailed` settles when no mail is left to send. */
export function createEffects(deps: EffectDeps): RunEffects & { readonly mailed: () => Promise<unknown> } {
  const { facts, log, runner } = deps
  const { clock } = runner
  let inputs = deps.isFresh ? facts.inputs : undefined
  const mails: Promise<void>[] = []
  let hasBegun = false
  return {
    mailed: () => Promise.all(mails),
    now: clock.now,
    record: async (change) => {
      const item = recordItem(deps, change, inputs)
      inputs = undefined
      const answer = await runner.journal.record(item)
      if (answer === 'lost') {
        deps.onLost()
        return answer
      }
      const { end, after } = change
      if (end !== undefined && 'finish' in end)
        deps.trace?.runEnded(after.startedAt, clock.now(), end.finish.status, end.finish.error)
      mails.push(...mailEvents(facts, change).map(([template, event]) => mail(deps, template, event)))
      return answer
    },
    perform: (action, progress, stop) => {
      // The file of the log is made while the first process runs, when nothing waits for it.
      if (action.type === 'start-attempt' && !hasBegun) {
        hasBegun = true
        setImmediate(() => void log.flush())
      }
      return performAction(deps, action, progress, stop)
    },
    flush: () => log.close(),
    publish: (observed, progress) => {
      const line = eventLine(facts.plan, observed, progress)
      if (line !== undefined) log.line(clock.now(), line)
    },
    publishEnd: (end) => log.line(clock.now(), endLine(end)),
  }
}

async function mail(deps: EffectDeps, template: MailTemplate, event: MailEvent): Promise<void> {
  const { facts, log, runner } = deps
  try {
    await supervised(deps, AbortSignal.timeout(mailWithinMs), async (watch) => {
      const scope = await surroundRun(facts, event.progress, watch)
      await sendRunMail(facts, template, event, { scope, settings: runner.executors })
    })
  } catch (error) {
    const why = facts.maskError(messageOf(error))
    log.line(runner.clock.now(), `mail to ${template.to.join(', ')}: ${why}`)
    runner.log.warn(
      { event: 'mail.failed', runId: facts.runId, dag: facts.dagName, why },
      'a mail was not sent',
    )
  }
}
