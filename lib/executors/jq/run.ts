import { messageOf } from '#lib/core/errors.ts'
import type { JqConfig } from '#lib/definition/executor-config/jq.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { callBuiltIn, type JqAnswer } from './call-built-in.ts'
import { callProgram } from './call-program.ts'
import { readFilter } from './filter.ts'

/**
 * Runs a jq filter (`command`) over JSON (`script`). An error of the filter fails the step.
 */
export const jqExecutor: Executor = { run: runFilter }

async function runFilter(context: StepContext): Promise<StepOutcome> {
  try {
    const { output, error, exitCode } = await call(context)
    if (output !== '') await context.stdout(Buffer.from(output.endsWith('\n') ? output : `${output}\n`))
    if (error !== '') await context.stderr(Buffer.from(`${error}\n`))
    return { exitCode, error: exitCode === 0 ? '' : error }
  } catch (error) {
    return { exitCode: 1, error: messageOf(error) }
  }
}

async function call(context: StepContext): Promise<JqAnswer> {
  const { commands, script, config, env, settings, signal, run } = context
  const { raw } = config as JqConfig
  const { filter, args } = readFilter(commands[0] ?? '.', env)
  const named = Object.entries(args).flatMap(([name, value]) => ['--arg', name, value])
  const request = {
    input: script ?? 'null',
    filter,
    flags: ['--indent', '4', ...(raw === true ? ['-r'] : []), ...named],
  }
  return settings.jqPath === undefined
    ? callBuiltIn(request, run?.runKey ?? '', signal)
    : callProgram(settings.jqPath, request, signal)
}
