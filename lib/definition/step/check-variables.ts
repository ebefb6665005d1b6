import type { Definition, Step } from '#lib/definition/definition.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import type { SpecNode } from '#lib/definition/yaml/spec-node.ts'
import { inheritedName } from '#lib/definition/values/inherited-name.ts'
import {
  isShellVariable,
  namesDefinedByShell,
  namesInText,
  quotedHereDocuments,
  readsOtherPrograms,
} from '#lib/definition/values/names-in-text.ts'

/** The parts of a DAG that define variables, and what reads its programs. */
export type Definers = Pick<Definition, 'params' | 'paramsSchema' | 'env' | 'secrets' | 'dotenv' | 'shell'>

/** A step with its position. */
export interface PlacedStep {
  readonly step: Omit<Step, 'name' | 'dependsOn'>
  readonly position: Position
}

interface Names {
  readonly variables: ReadonlySet<string>
  /** Params and outputs: Dagu pastes their values into programs, also for `$NAME`. */
  readonly pasted: ReadonlySet<string>
  /** Of the step alone. A set of its own, since a file may define many names and have many steps. */
  readonly own: ReadonlySet<string>
  /** A file of variables may define any name. */
  readonly isOpen: boolean
}

/**
 * Warns about references to names that nothing in the file defines, and about those that stay as written although they
 * look like values of the file.
 * @param ofFile texts of the DAG itself: its `env`, and those that are expanded later
 */
export function checkVariables(
  definers: Definers,
  steps: readonly PlacedStep[],
  ofFile: { readonly env: readonly Position[]; readonly others: readonly Position[] },
): void {
  const names = namesOf(definers, steps)
  const all = { ...names, own: new Set<string>() }
  const ofEnv = new Set(definers.env.map(({ name }) => name))
  const mentions = ({ node }: Position): boolean => mentionsVariables(node)
  for (const at of ofFile.env.filter(mentions).flatMap(leaves)) checkEnvironment(at, ofEnv, all)
  for (const at of ofFile.others.filter(mentions).flatMap(leaves)) checkText(at, all)
  for (const { step, position } of steps) {
    if (!mentionsVariables(position.node)) continue
    const known = { ...names, own: new Set([...step.env.map(({ name }) => name), ...itemOf(step)]) }
    const language = languageOf(step, definers.shell)
    for (const at of programPositions(step, position)) checkProgram(at, language, known)
    for (const at of textPositions(step, position)) checkText(at, known)
  }
}

function namesOf(definers: Definers, steps: readonly PlacedStep[]): Omit<Names, 'own'> {
  const { params, paramsSchema, env, secrets, dotenv } = definers
  const properties = Object.keys(Object(paramsSchema?.['properties']) as object)
  const outputs = steps.flatMap(({ step }) => step.output?.name ?? [])
  const ids = steps.flatMap(({ step }) => step.id ?? [])
  const pasted = [...params.flatMap(({ name }) => name ?? []), ...properties, ...outputs]
  return {
    variables: new Set([...pasted, ...[...env, ...secrets].map(({ name }) => name), ...ids]),
    pasted: new Set(pasted),
    isOpen: dotenv.length > 0,
  }
}

const itemOf = ({ child }: PlacedStep['step']): string[] => (child?.parallel === undefined ? [] : ['ITEM'])

type Language = 'shell' | 'remote' | 'other'

/** What interprets the programs of a step. */
function languageOf(
  { executor, commands, script, shell }: PlacedStep['step'],
  ofDag: Definition['shell'],
): Language {
  if (executors[executor.type].shell === 'remote') return 'remote'
  const isInterpreter = script !== undefined && commands.length > 0
  const program = isInterpreter
    ? commands[0]
    : (shell?.[0] ?? /^#!\s*(.*)/.exec(script ?? '')?.[1] ?? ofDag?.[0] ?? 'sh')
  return /\b(?:ba|da|k|z|a)?sh\b/.test(program ?? '') ? 'shell' : 'other'
}

function programPositions({ executor, script }: PlacedStep['step'], position: Position): Position[] {
  if (executors[executor.type].texts !== 'program') return []
  const at = position.at('script')
  // A command of several lines is a script too.
  return script === undefined || at.node === undefined ? position.at('command').items() : [at]
}

function textPositions({ executor }: PlacedStep['step'], position: Position): Position[] {
  const isProgram = ['program', 'filter'].includes(executors[executor.type].texts)
  const fields = isProgram ? textFields : [...textFields, 'command']
  return [...fields.map((field) => position.at(field)), position.at('repeatPolicy').at('condition')].flatMap(
    leaves,
  )
}

const textFields =
  'stdout stderr workingDir call params parallel config executor env precondition preconditions'.split(' ')

/** Most steps mention none: looking there takes a tenth of the time of a check of their positions. */
function mentionsVariables(node: SpecNode | undefined): boolean {
  if (node === undefined) return false
  if (node.kind === 'scalar') return node.text.includes('$')
  if (node.kind === 'list') return node.items.some(mentionsVariables)
  return [...node.entries.values()].some(({ value }) => mentionsVariables(value))
}

function leaves(position: Position): Position[] {
  const { node } = position
  if (node === undefined) return []
  if (node.kind === 'scalar') return [position]
  const inner = node.kind === 'list' ? position.items() : position.entries().map(([, value]) => value)
  return inner.flatMap(leaves)
}

/** Warnings are a help: what comes after this many characters of a text is not looked at. */
const readMax = 65_536

function checkText(position: Position, names: Names): void {
  for (const { name, written, hasDefault } of namesInText(position.text.slice(0, readMax), 'text')) {
    if (!hasDefault && !isKnown(name, names)) warnUnknown(position, written)
  }
}

function checkProgram(position: Position, language: Language, names: Names): void {
  const text = position.text.slice(0, readMax)
  const isOpen = language !== 'shell' || readsOtherPrograms(text)
  const own = namesDefinedByShell(text)
  for (const { name, written, hasDefault, isQuoted } of namesInText(text, 'shell')) {
    const isOfFile = isOfTheFile(name, names)
    if (language === 'other' || isQuoted) {
      if (isOfFile && (written.startsWith('${') || names.pasted.has(name)))
        warnLiteral(position, written, name, language)
    } else if (!isOpen && !hasDefault && !own.has(name) && !isShellVariable(name) && !isKnown(name, names)) {
      warnUnknown(position, written)
    }
  }
  if (language === 'other') return
  for (const body of quotedHereDocuments(text))
    for (const { name, written } of namesInText(body, 'text'))
      if (written.startsWith('${') && isOfTheFile(name, names))
        position.warn(
          `has ${written} in a here-document with a quoted delimiter, where it stays as written: quote no delimiter`,
        )
}

/** The `env` of a file is evaluated first, so it knows itself and the variables of the service only. */
function checkEnvironment(position: Position, known: ReadonlySet<string>, names: Names): void {
  for (const { name, written, hasDefault } of namesInText(position.text.slice(0, readMax), 'text')) {
    if (hasDefault || known.has(name) || inheritedName(name)) continue
    position.warn(
      isOfTheFile(name, names)
        ? `refers to ${written}, which is empty here: env is evaluated before params, secrets and outputs`
        : `refers to ${written}, which is empty: env knows only its own entries and PATH, HOME and such`,
    )
  }
}

const isOfTheFile = (name: string, { variables, own }: Names): boolean => variables.has(name) || own.has(name)

const isKnown = (name: string, names: Names): boolean =>
  names.isOpen || isOfTheFile(name, names) || inheritedName(name)

function warnUnknown(position: Position, written: string): void {
  position.warn(
    `refers to ${written}, which nothing in the file defines: it is empty unless a caller or .env gives it`,
  )
}

function warnLiteral(position: Position, written: string, name: string, language: Language): void {
  position.warn(
    language === 'other'
      ? `has ${written} in a program that no shell reads, where it stays as written: read ${name} from the environment`
      : `has ${written} within single quotes, where it stays as written: use double quotes`,
  )
}
