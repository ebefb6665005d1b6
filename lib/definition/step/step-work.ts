import { limits } from '#lib/core/limits.ts'
import type { ChildCall, ExecutorType, ParallelCall } from '#lib/definition/definition.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import type { RawStep } from '#lib/definition/schema/step.ts'
import { childParams } from '#lib/definition/dag/params-field.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import { isLiteral } from '#lib/definition/values/expand.ts'
import { textOf } from '#lib/definition/yaml/spec-node.ts'

/** What a step executes. */
export interface Work {
  readonly commands: readonly string[]
  readonly script: string | undefined
  readonly child: ChildCall | undefined
}

/**
 * Reads commands, script and child call. Reports what the executor type does not accept.
 * @param type undefined when it is unknown: then no more checks are possible
 * @param isBroken parts were left out: then nothing more is reported as missing
 */
export function readWork(
  type: ExecutorType | undefined,
  raw: RawStep,
  position: Position,
  isBroken: boolean,
): Work {
  if (type === undefined)
    return { commands: readCommands(raw, position), script: raw.script, child: undefined }
  const { commands, script } = splitScript(type, readCommands(raw, position), raw)
  const work = { commands, script }
  checkAbilities(type, raw, work, position)
  if (script !== undefined && script.trim() === '') position.at('script').fault('must not be empty')
  const { lacking, script: takes, checkCommand } = executors[type]
  const hasWork = raw.call !== undefined || commands.length > 0 || (script !== undefined && takes !== 'data')
  if (lacking !== undefined && !hasWork && raw.command === undefined && !isBroken) position.fault(lacking)
  if (commands[0] !== undefined) checkCommand?.(commands[0], position.at('command'))
  return { ...work, ...(type === 'dag' ? callOf(raw, commands, position) : noChild(raw, position)) }
}

function readCommands(raw: RawStep, position: Position): string[] {
  if (raw.command === undefined) return []
  const at = position.at('command')
  const commands = at.items().map((one) => {
    if (one.text.trim() === '') one.fault('must not be empty')
    return one.text.trim()
  })
  if (commands.length === 0) at.fault('must not be an empty list')
  return commands
}

/**
 * A command of several lines becomes a script, if the executor accepts scripts: its first line may name an interpreter.
 */
function splitScript(
  type: ExecutorType,
  commands: readonly string[],
  raw: RawStep,
): { readonly commands: readonly string[]; readonly script: string | undefined } {
  const { command, script } = raw
  const isProgram = executors[type].texts === 'program'
  const isScript = isProgram && script === undefined && commands.length === 1 && commands[0]?.includes('\n')
  if (!isScript) return { commands, script }
  return { commands: [], script: typeof command === 'string' ? command : commands[0] }
}

function checkAbilities(
  type: ExecutorType,
  raw: RawStep,
  { commands, script }: Pick<Work, 'commands' | 'script'>,
  position: Position,
): void {
  const able = executors[type]
  const steps = `steps of type ${type}`
  if (raw.call !== undefined && raw.command !== undefined) {
    position.at('command').fault('must not be combined with call: a step runs either a command or a DAG')
  } else if (able.command === 'none' && commands.length > 0) {
    position.at('command').fault(`must not be given: ${steps} take none`)
  } else if (able.command === 'one' && commands.length > 1) {
    position.at('command').fault(`must be one: ${steps} take no list${inheritedType(type, raw)}`)
  }
  if (script !== undefined && able.script === 'none') {
    position.at('script').fault(`must not be given: ${steps} take none${inheritedType(type, raw)}`)
  }
  if (raw.shell !== undefined && able.shell === undefined) {
    position.at('shell').fault(`must not be given: ${steps} have none`)
  }
}

/** Why a step that names no type has this one, and how to choose another. */
function inheritedType(type: ExecutorType, raw: RawStep): string {
  if ([raw.type, raw.executor, raw.container].some((one) => one !== undefined)) return ''
  const { inherited } = executors[type]
  return inherited === undefined ? '' : `; ${inherited}`
}

/** The older form, in which `command` names the DAG. */
function callOf(
  raw: RawStep,
  commands: readonly string[],
  position: Position,
): Pick<Work, 'child' | 'commands'> {
  if (raw.call !== undefined) checkCall(raw.call, position.at('call'))
  const dag = (raw.call ?? commands[0] ?? '').trim()
  if (dag !== '' && isLiteral(dag))
    position.at(raw.call === undefined ? 'command' : 'call').mention('dag', dag)
  const parallel =
    raw.parallel === undefined ? undefined : readParallel(raw.parallel, position.at('parallel'))
  return { commands: [], child: { dag, params: childParams(position.at('params')), parallel } }
}

/** Files of a later generation write `run: echo "hi"` for a command. */
function checkCall(call: string, position: Position): void {
  const name = call.trim()
  if (name === '') position.fault('must name a DAG, is empty')
  else if (/[\s;|&<>()'"]/.test(name.replaceAll(/\$\{[^}]{0,256}\}|`[^`]{0,256}`/g, ''))) {
    const shown = JSON.stringify(name.slice(0, 60))
    position.fault(
      `must name a DAG, is ${shown}; for a command write command: ${name.split('\n', 1)[0]?.slice(0, 60)}`,
    )
  }
}

function noChild(raw: RawStep, position: Position): Pick<Work, 'child'> {
  if (raw.parallel !== undefined) position.at('parallel').fault('needs call, the DAG to run for each item')
  return { child: undefined }
}

function readParallel(raw: NonNullable<RawStep['parallel']>, position: Position): ParallelCall {
  if (typeof raw === 'string' || Array.isArray(raw)) {
    return { items: readItems(raw, position), maxConcurrent: limits.parallelConcurrencyDefault }
  }
  const { maxConcurrent = limits.parallelConcurrencyDefault } = raw
  if (maxConcurrent === 0) position.at('maxConcurrent').fault('must be at least 1')
  return { items: readItems(raw.items, position.at('items')), maxConcurrent }
}

function readItems(raw: string | readonly unknown[], position: Position): string | string[] {
  if (typeof raw === 'string') {
    if (raw.trim() === '') position.fault('must be a list, or a text with a variable, is empty')
    return raw
  }
  if (raw.length === 0 || raw.length > limits.parallelItemsMax) {
    position.fault(`must have 1 to ${limits.parallelItemsMax} items, has ${raw.length}`)
    return []
  }
  return position.items().map(({ node }) => (node === undefined ? '' : textOf(node)))
}
