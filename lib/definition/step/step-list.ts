import { limits } from '#lib/core/limits.ts'
import { handlerStepNames, type Step } from '#lib/definition/definition.ts'
import { resolveDependencies, type Waiting } from './dependencies.ts'
import type { RawStep } from '#lib/definition/schema/step.ts'
import type { Given, RawDag } from '#lib/definition/reading/layers.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import { readStep, type ReadStep, type StepContext } from './step-fields.ts'

interface ListedStep {
  readonly raw: RawStep | string
  readonly position: Position
  /** The key of a step in a map of steps. */
  readonly key: string | undefined
  /** Item of the list; steps of one item run in parallel. */
  readonly item: number
}

interface NamedStep extends Omit<ListedStep, 'key'> {
  readonly name: string
  readonly step: ReadStep['step']
}

/** Reads the steps of a DAG, in the order of the text, with generated names and resolved dependencies. */
export function readSteps(
  given: Given<NonNullable<RawDag['steps']>> | undefined,
  type: 'chain' | 'graph',
  context: StepContext,
): Step[] {
  if (given === undefined) return []
  const listed = listSteps(given)
  if (listed.length > limits.stepsMax) {
    given.position.fault(`must be at most ${limits.stepsMax} steps, are ${listed.length}`)
    return []
  }
  const named = nameSteps(
    listed,
    listed.map(({ raw, position }) => readStep(raw, position, context)),
  )
  checkIds(named)
  const isChain = type === 'chain' && Array.isArray(given.value)
  const dependencies = resolveDependencies(named.map(waitingOf), isChain)
  return named.map(({ name, step }, index) =>
    Object.assign(step, { name, dependsOn: dependencies[index] ?? [] }),
  )
}

function listSteps({ value, position }: Given<NonNullable<RawDag['steps']>>): ListedStep[] {
  if (!Array.isArray(value)) {
    return Object.entries(value).map(([key, raw], item) => ({ raw, position: position.at(key), key, item }))
  }
  return value.flatMap((raw, item): ListedStep[] => {
    const at = position.at(item)
    if (!Array.isArray(raw)) return [{ raw, position: at, key: undefined, item }]
    return raw.map((inner, index) => ({ raw: inner, position: at.at(index), key: undefined, item }))
  })
}

const handlerNames = new Set<string>(Object.values(handlerStepNames))

/** Names a step without a name by its kind and its position among all steps. */
function nameSteps(listed: readonly ListedStep[], read: readonly ReadStep[]): NamedStep[] {
  const given = listed.map(givenName)
  const taken = takeNames(listed, given)
  return read.flatMap(({ step, kind }, index) => {
    const one = listed[index]
    if (one === undefined) return []
    let name = given[index]
    for (let number = index + 1; name === undefined; number++) {
      const free = `${kind}_${number}`
      if (!taken.has(free)) name = free
    }
    taken.add(name)
    return [{ raw: one.raw, position: one.position, item: one.item, name, step }]
  })
}

/** The given names. Duplicates, and names of handlers, are reported as faults. */
function takeNames(listed: readonly ListedStep[], given: readonly (string | undefined)[]): Set<string> {
  const taken = new Set<string>()
  for (const [index, { position }] of listed.entries()) {
    const name = given[index]
    if (name === undefined) continue
    if (handlerNames.has(name)) {
      position.at('name').fault(`must not be ${name}: that is how a handler is called`)
    } else if (taken.has(name)) {
      position.at('name').fault(`must be unique: there are two steps ${show(name)}`)
    }
    taken.add(name)
  }
  return taken
}

function givenName({ raw, key, position }: ListedStep): string | undefined {
  const own = typeof raw === 'string' ? undefined : raw.name
  if (own !== undefined && key !== undefined && own !== key) {
    position.at('name').fault(`must be the same as its key in the map of steps, ${show(key)}`)
  }
  const name = key ?? own
  if (name === undefined || name.trim() === '') return undefined
  const { length } = Array.from(name)
  if (length > limits.stepNameLengthMax) {
    position.at('name').fault(`must have at most ${limits.stepNameLengthMax} characters, has ${length}`)
  }
  if (/\p{Cc}/u.test(name)) position.at('name').fault('must be one line without control characters')
  return name
}

const reservedIds = new Set(['env', 'params', 'args', 'stdout', 'stderr', 'output', 'outputs'])

function checkIds(steps: readonly NamedStep[]): void {
  const names = new Set(steps.map(({ name }) => name))
  const ids = new Set<string>()
  for (const { name, step, position } of steps) {
    const { id } = step
    if (id === undefined) continue
    const at = position.at('id')
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,255}$/.test(id)) {
      at.fault(`must be a letter, and then letters, digits, - and _, is ${show(id)}`)
    } else if (reservedIds.has(id)) at.fault(`must not be ${id}: this word is reserved`)
    else if (ids.has(id)) at.fault(`must be unique: there are two steps with the id ${show(id)}`)
    else if (id !== name && names.has(id)) at.fault(`must not be the name of another step, ${show(id)}`)
    ids.add(id)
  }
}

function waitingOf({ raw, name, step, position, item }: NamedStep): Waiting {
  const depends = typeof raw === 'string' ? undefined : raw.depends
  const names = depends === undefined ? undefined : [depends].flat().filter((one) => one.trim() !== '')
  return { name, id: step.id, item, names, position: position.at('depends') }
}

const show = (text: string): string => JSON.stringify(text.slice(0, 60))
