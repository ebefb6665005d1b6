import { limits } from '#lib/core/limits.ts'
import { readDag } from '#lib/definition/dag/dag-fields.ts'
import { readDagShape } from '#lib/definition/dag/dag-shape.ts'
import type { Definition, Problem, SpecReading } from './definition.ts'
import { readDocuments, type Documents } from '#lib/definition/yaml/documents.ts'
import { Layers, type Layer } from '#lib/definition/reading/layers.ts'
import { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import { stepLines } from '#lib/definition/step/step-lines.ts'
import type { SpecNode } from '#lib/definition/yaml/spec-node.ts'

/** Options for reading a DAG file. infra/dag-schema.json (the JSON Schema) describes the format. */
export interface SpecOptions {
  /** Name of the DAG when the file gives none. */
  readonly fileName: string
  /** Text of the base configuration, which provides defaults for every DAG of the file. */
  readonly base?: string
}

const nothing: SpecNode = { kind: 'scalar', at: 0, end: 0, value: null, text: '' }

/**
 * Reads a DAG file: its first document is the DAG, the others are local DAGs. Never throws and never takes long,
 * whatever the text is: sizes are checked before anything is parsed. All faults are reported together, in the order of
 * the text; a file with faults is never run.
 */
export function readSpec(text: string, { fileName, base }: SpecOptions): SpecReading {
  const baseDocuments = base === undefined ? undefined : readDocuments(base)
  const baseLayers = baseDocuments && readBase(baseDocuments)
  const documents = readDocuments(text)
  const patterns = new PatternCheck()
  const count = { schedules: 0 }
  const [first = nothing, ...others] = documents.roots
  const { faults } = documents

  const read = (root: SpecNode, owner: string, defaultName: string, base: Layer | undefined): Definition => {
    const shape = readDagShape(root, faults, owner)
    const broken = new Set([...shape.broken, ...(baseLayers?.broken ?? [])])
    const dag = readDag(new Layers(shape, base), { defaultName, patterns, count, broken })
    checkName(dag.name, shape)
    return dag
  }

  const dag = read(first, '', fileName, baseLayers?.forFile)
  const localDags = others.map((root, index) => {
    const name = nameOf(root)
    const owner = name === '' ? `document ${index + 2}` : `DAG ${JSON.stringify(name.slice(0, 60))}`
    if (name === '') faults.add(root.at, `${owner} needs name, by which steps call it`)
    return read(root, owner, name === '' ? `document-${index + 2}` : name, baseLayers?.forLocal)
  })
  checkUnique(first, others, documents)
  return {
    dag,
    localDags,
    problems: [...baseProblems(baseDocuments), ...faults.problems()],
    warnings: faults.warnings(),
    mentions: faults.mentions(),
    stepLines: stepLines(first, dag, { text, lineOf: (at) => faults.lineOf(at) }),
  }
}

/** A fault as a line of text. */
export function formatProblem({ message, line, column }: Problem): string {
  return line === undefined ? message : `line ${line}, column ${column ?? 1}: ${message}`
}

/** All faults as lines of text. */
export function problemTexts(problems: readonly Problem[]): string[] {
  return problems.map(formatProblem)
}

interface BaseLayers {
  readonly forFile: Layer
  /** Local DAGs do not inherit handlers. */
  readonly forLocal: Layer
  readonly broken: ReadonlySet<unknown>
}

function readBase({ roots: [root = nothing, ...others], faults }: Documents): BaseLayers {
  const { raw, position, broken } = readDagShape(root, faults, '')
  const { name: _, ...rest } = raw
  const { steps, handlerOn, ...shared } = rest
  if (steps !== undefined) position.at('steps').fault('must not be in the base configuration')
  for (const other of others) faults.add(other.at, 'the base configuration must be one document')
  const forFile = { raw: { ...shared, ...(handlerOn !== undefined && { handlerOn }) }, position }
  return { forFile, forLocal: { raw: shared, position }, broken }
}

/** Faults of the base configuration; their positions are in another text. */
function baseProblems(documents: Documents | undefined): Problem[] {
  const problems = documents?.faults.problems() ?? []
  return problems.map((problem) => ({ message: `base configuration, ${formatProblem(problem)}` }))
}

function nameOf(root: SpecNode): string {
  if (root.kind !== 'map') return ''
  const entry = [...root.entries].find(([key]) => key.toLowerCase() === 'name')
  const value = entry?.[1].value
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : ''
}

function checkName(name: string, { position }: Layer): void {
  const at = position.at('name')
  const shown = JSON.stringify(name.slice(0, 60))
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    at.fault(`must be letters, digits, -, _ and dots, is ${shown}`)
  } else if (name === '.' || name === '..') {
    at.fault(`must not be ${shown}, because no API path can contain it`)
  } else if (name.length > limits.dagNameLengthMax) {
    at.fault(`must have at most ${limits.dagNameLengthMax} characters, has ${name.length}: ${shown}`)
  }
}

function checkUnique(first: SpecNode, others: readonly SpecNode[], { faults }: Documents): void {
  const names = new Set([nameOf(first)])
  for (const root of others) {
    const name = nameOf(root)
    if (name !== '' && names.has(name)) {
      faults.add(root.at, `there are two DAGs ${JSON.stringify(name.slice(0, 60))} in the file`)
    }
    names.add(name)
  }
}
