import type { Definition, Step } from './definition.ts'
import type { Place } from './place.ts'
import type { SpecNode } from './spec-node.ts'
import { inheritedName } from './values/inherited-name.ts'
import {
  isShellVariable,
  namesDefinedByShell,
  namesInText,
  readsOtherPrograms,
} from './values/names-in-text.ts'

/** The parts of a DAG that define variables, and what reads its programs. */
export type Definers = Pick<Definition, 'params' | 'paramsSchema' | 'env' | 'secrets' | 'dotenv' | 'shell'>

/** A step with its position. */
export interface PlacedStep {
  readonly step: Omit<Step, 'name' | 'dependsOn'>
  readonly place: Place
}

interface Names {
  readonly variables: ReadonlySet<string>
  /** Of the step alone. A set of its own, since a file may define many names and have many steps. */
  readonly own: ReadonlySet<string>
  /** A file of variables may define any name. */
  readonly isOpen: boolean
}

/**
 * Warns about references to names that nothing in the file defines, and about those that stay as written although they
 * look like values of the file.
 */
export function checkVariables(definers: Definers, steps: readonly PlacedStep[]): void {
  const names = namesOf(definers, steps)
  for (const { step, place } of steps) {
    if (!mentionsVariables(place.node)) continue
    const known = { ...names, own: new Set([...step.env.map(({ name }) => name), ...itemOf(step)]) }
    const language = languageOf(step, definers.shell)
    for (const at of programPlaces(step, place)) checkProgram(at, language, known)
    for (const at of textPlaces(step, place)) checkText(at, known)
  }
}

function namesOf(definers: Definers, steps: readonly PlacedStep[]): Omit<Names, 'own'> {
  const { params, paramsSchema, env, secrets, dotenv } = definers
  const properties = Object.keys(Object(paramsSchema?.['properties']) as object)
  return {
    variables: new Set([
      ...[...params, ...env, ...secrets].flatMap(({ name }) => name ?? []),
      ...properties,
      ...steps.flatMap(({ step }) => [step.output?.name ?? [], step.id ?? []].flat()),
    ]),
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
  if (executor.type === 'ssh') return 'remote'
  const isInterpreter = script !== undefined && commands.length > 0
  const program = isInterpreter
    ? commands[0]
    : (shell?.[0] ?? /^#!\s*(.*)/.exec(script ?? '')?.[1] ?? ofDag?.[0] ?? 'sh')
  return /\b(?:ba|da|k|z|a)?sh\b/.test(program ?? '') ? 'shell' : 'other'
}

function programPlaces({ executor, script }: PlacedStep['step'], place: Place): Place[] {
  if (executor.type !== 'shell' && executor.type !== 'ssh') return []
  return [place.at('script'), ...(script === undefined ? place.at('command').items() : [])]
}

function textPlaces({ executor }: PlacedStep['step'], place: Place): Place[] {
  const isProgram = ['shell', 'ssh', 'jq'].includes(executor.type)
  const fields = ['stdout', 'stderr', 'workingDir', 'call', 'params', 'config', 'executor', 'env']
  return (isProgram ? fields : [...fields, 'command']).flatMap((field) => leaves(place.at(field)))
}

/** Most steps mention none: looking there takes a tenth of the time of a check of their positions. */
function mentionsVariables(node: SpecNode | undefined): boolean {
  if (node === undefined) return false
  if (node.kind === 'scalar') return node.text.includes('$')
  if (node.kind === 'list') return node.items.some(mentionsVariables)
  return [...node.entries.values()].some(({ value }) => mentionsVariables(value))
}

function leaves(place: Place): Place[] {
  const { node } = place
  if (node === undefined) return []
  if (node.kind === 'scalar') return [place]
  const inner = node.kind === 'list' ? place.items() : place.entries().map(([, value]) => value)
  return inner.flatMap(leaves)
}

/** Warnings are a help: what comes after this many characters of a text is not looked at. */
const readMax = 65_536

function checkText(place: Place, names: Names): void {
  for (const { name, written, hasDefault } of namesInText(place.text.slice(0, readMax), 'text')) {
    if (!hasDefault && !isKnown(name, names)) warnUnknown(place, written)
  }
}

function checkProgram(place: Place, language: Language, names: Names): void {
  const text = place.text.slice(0, readMax)
  const isOpen = language !== 'shell' || readsOtherPrograms(text)
  const own = namesDefinedByShell(text)
  for (const { name, written, hasDefault, isQuoted } of namesInText(text, 'shell')) {
    const isOfFile = isOfTheFile(name, names)
    if (language === 'other' || isQuoted) {
      if (isOfFile && written.startsWith('${')) warnLiteral(place, written, name, language)
    } else if (!isOpen && !hasDefault && !own.has(name) && !isShellVariable(name) && !isKnown(name, names)) {
      warnUnknown(place, written)
    }
  }
}

const isOfTheFile = (name: string, { variables, own }: Names): boolean => variables.has(name) || own.has(name)

const isKnown = (name: string, names: Names): boolean =>
  names.isOpen || isOfTheFile(name, names) || inheritedName(name)

function warnUnknown(place: Place, written: string): void {
  place.warn(
    `refers to ${written}, which nothing in the file defines: it is empty unless a caller or .env gives it`,
  )
}

function warnLiteral(place: Place, written: string, name: string, language: Language): void {
  place.warn(
    language === 'other'
      ? `has ${written} in a program that no shell reads, where it stays as written: read ${name} from the environment`
      : `has ${written} within single quotes, where it stays as written: use double quotes`,
  )
}
