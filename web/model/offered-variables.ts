import { declaredVariables, documentAround, type Declared } from './declared-variables.ts'
import { stepAround } from './step-names.ts'
import { indentOf, isBlank, readLine } from './yaml-line.ts'
import { isInComment } from './yaml-path.ts'

/** A reference that may be written at the cursor. */
export interface VariableOffer {
  readonly label: string
  readonly insert: string
  readonly about: string
}

export interface VariableOffers {
  readonly from: number
  readonly offers: readonly VariableOffer[]
}

/** The variables that Millrace sets for each run and step. */
const ofRun = {
  DAG_NAME: 'The name of the DAG.',
  DAG_RUN_ID: 'The id of the run.',
  DAG_RUN_LOG_FILE: 'The log of the run.',
  DAG_PARAMS_JSON: 'All params of the run as JSON.',
}
const ofStep = {
  DAG_RUN_STEP_NAME: 'The name of the step.',
  DAG_RUN_STEP_STDOUT_FILE: 'The file with the standard output of the step.',
  DAG_RUN_STEP_STDERR_FILE: 'The file with the errors of the step.',
}
const ofHandler = { DAG_RUN_STATUS: 'The status with which the run ends.' }

/** Fields whose texts are not expanded. */
const literal = /^(name|id|description|group|tags|schedule|start|stop|restart|depends|output|type)$/i

/** @returns undefined where no reference is typed; the variables that may be referred to there otherwise */
export function variablesAt(text: string, offset: number): VariableOffers | undefined {
  const begun = /(?:^|[^\\$])(?:\\\\)*\$(\{?)([A-Za-z_][\w.-]*)?$/.exec(
    text.slice(Math.max(0, offset - 300), offset),
  )
  if (begun === null || isInComment(text, offset)) return undefined
  const lines = text.split('\n')
  const number = text.slice(0, offset).split('\n').length - 1
  const field = fieldAround(lines, number)
  if (field === undefined || literal.test(field.own) || field.top === 'secrets') return undefined
  const isBraced = begun[1] === '{'
  const closing = isBraced && text[offset] !== '}' && !/^[\w.-]*\}/.test(text.slice(offset)) ? '}' : ''
  const offers = variablesFor(lines, number, field.top.toLowerCase()).map(({ name, about }) => ({
    label: name,
    insert: isBraced || /^\w+$/.test(name) ? `${name}${closing}` : `{${name}}`,
    about,
  }))
  return { from: offset - (begun[2] ?? '').length, offers }
}

/** The field of the file that a line is in, and the key whose value begins on it or above it. */
function fieldAround(
  lines: readonly string[],
  number: number,
): { readonly top: string; readonly own: string } | undefined {
  const [first] = documentAround(lines, number)
  let own: string | undefined
  let reach = Infinity
  for (let at = number; at >= first; at--) {
    const text = lines[at] ?? ''
    if (isBlank(text) || (at < number && indentOf(text) >= reach)) continue
    const { tokens } = readLine(text)
    own ??= tokens.findLast(({ key, column }) => key !== undefined && column < reach)?.key
    const [outer] = tokens
    if (outer?.column === 0 && outer.key !== undefined) return { top: outer.key, own: own ?? outer.key }
    reach = Math.min(reach, outer?.key === undefined ? indentOf(text) + 1 : indentOf(text))
  }
  return undefined
}

interface Known {
  readonly name: string
  readonly about: string
}

function variablesFor(lines: readonly string[], number: number, top: string): Known[] {
  const declared = declaredVariables(lines, number)
  const isAbove = ({ line }: Declared): boolean => line < number
  const of = (...kinds: Declared['kind'][]): Declared[] => declared.filter(({ kind }) => kinds.includes(kind))
  if (top === 'env') return named(of('env').filter(isAbove))
  if (top === 'params') return named([...of('param').filter(isAbove), ...of('env')])
  const shared = of('param', 'env', 'secret')
  if (top !== 'steps' && top !== 'handleron') return [...named([...of('output'), ...shared]), ...given(ofRun)]
  const [first, last] = stepAround(lines, number)
  const isOwn = ({ line }: Declared): boolean => line >= first && line <= last
  const isParallel = lines.slice(first, last + 1).some((text) => /(^|[\s{,-])parallel:/.test(text))
  const others = of('output', 'id').filter((one) => !isOwn(one))
  const all = [...of('step env').filter(isOwn), ...others, ...shared]
  return [
    ...named(all),
    ...(isParallel ? [{ name: 'ITEM', about: 'The item of this child run.' }] : []),
    ...given({ ...ofRun, ...ofStep, ...(top === 'handleron' && ofHandler) }),
  ]
}

const given = (names: Readonly<Record<string, string>>): Known[] =>
  Object.entries(names).map(([name, about]) => ({ name, about }))

const abouts: Readonly<Record<Exclude<Declared['kind'], 'id'>, string>> = {
  param: 'A param of the DAG.',
  env: 'From env of the file.',
  secret: 'A secret; its value is masked in logs.',
  output: 'The output of a step.',
  'step env': 'From env of this step.',
}

/** Each name once; for a step with an id, its output references. */
function named(declared: readonly Declared[]): Known[] {
  const known = new Map<string, string>()
  for (const { name, kind } of declared) {
    if (kind !== 'id') known.set(name, known.get(name) ?? abouts[kind])
    else {
      known.set(`${name}.stdout`, `The file with the standard output of the step ${name}.`)
      known.set(`${name}.stderr`, `The file with the errors of the step ${name}.`)
      known.set(`${name}.exit_code`, `The exit code of the step ${name}.`)
    }
  }
  return [...known].map(([name, about]) => ({ name, about }))
}
