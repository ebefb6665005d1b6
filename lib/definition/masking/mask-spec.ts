import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'
import { compose, composing } from '#lib/definition/yaml/documents.ts'
import { cutText, tokensOutsideScalars } from '#lib/definition/yaml/text-bounds.ts'
import { maskText } from './mask-text.ts'
import { isReference, isSecretName, mask, maybeSecret } from './secret-names.ts'
import { SecretValues } from './secret-values.ts'

/** What the value of a key is: `names`: its keys are names of steps; `open`: what every reader may see. */
type Context = 'plain' | 'environment' | 'secret' | 'registries' | 'names' | 'open'

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

const unreadable = '# This text cannot be parsed, so that only those who may edit it see it.\n'

/**
 * The text of a DAG file as readers see it who may not edit it: without the secrets that are written in it. They are
 * found by their positions in the parsed text, so that no spelling of a value hides it. Lines keep their order; a
 * secret of several lines becomes one.
 */
export function maskSpec(text: string): string {
  if (!mayHoldSecrets(text)) return text
  const cut = cutText(text)
  if ('fault' in cut) return unreadable
  const documents = [...compose(new Composer(composing), cut.pieces)]
  if (documents.some(({ errors }) => errors.length > 0)) return unreadable
  const masker = new Masker(text)
  for (const { contents } of documents) masker.read(contents)
  return masker.finish(cut.pieces)
}

/** Most texts need not be parsed. Only a backslash in double quotes can hide a name. */
const mayHoldSecrets = (text: string): boolean => maybeSecret.test(text) || /:\/\/|\\| -u |-user/.test(text)

class Masker {
  readonly #source: string
  readonly #changes = new Map<Scalar, Change & { readonly shown: string }>()
  readonly #values = new SecretValues()
  readonly #scalars: Scalar[] = []
  readonly #anchors = new Map<string, Node>()
  readonly #targets = new Map<Alias, Node>()
  readonly #walked = new Map<Node, Set<Context>>()

  constructor(source: string) {
    this.#source = source
  }

  read(root: unknown): void {
    this.#anchors.clear()
    this.#link(root)
    this.#walk(root, 'plain')
  }

  /** Finds what each alias stands for, since an anchor of the same name may follow. */
  #link(node: unknown): void {
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source)
      if (target !== undefined) this.#targets.set(node, target)
      return
    }
    if (isScalar(node)) this.#scalars.push(node)
    else if (isMap(node)) {
      for (const { key, value } of node.items) {
        this.#link(key)
        this.#link(value)
      }
    } else if (isSeq(node)) for (const item of node.items) this.#link(item)
    else return
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node)
  }

  #walk(given: unknown, context: Context): void {
    const node = isAlias(given) ? this.#targets.get(given) : given
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return
    // Aliases multiply: a value is looked at once for each meaning.
    const walked = this.#walked.get(node) ?? new Set()
    if (walked.has(context)) return
    this.#walked.set(node, walked.add(context))
    if (isScalar(node)) this.#scalar(node, context)
    else if (isSeq(node))
      for (const item of node.items) this.#walk(item, context === 'names' ? 'plain' : context)
    else for (const pair of node.items) this.#walk(pair.value, this.#contextOf(pair, context))
  }

  #contextOf({ key }: Pair, context: Context): Context {
    const node = isAlias(key) ? this.#targets.get(key) : key
    const name = isScalar(node) ? textOf(node) : ''
    if (context === 'secret' || context === 'open') return context
    if (name === '<<') return context
    if (context === 'registries') return name === 'username' ? 'plain' : 'registries'
    if (context === 'environment') return isSecretName(name) ? 'secret' : 'plain'
    if (context === 'names') return 'plain'
    return contextOfField(name)
  }

  #scalar(node: Scalar, context: Context): void {
    const value = textOf(node)
    if (context === 'secret' || context === 'registries') this.#hide(node, value)
    else if (
      context === 'environment' &&
      isSecretName(value.slice(0, Math.max(0, value.indexOf('='))).trim())
    ) {
      this.#hideAfter(node, value, value.indexOf('=') + 1)
    } else if (context !== 'open') this.#hideIn(node, value)
  }

  #hide(node: Scalar, value: string): void {
    if (value === '' || isReference(value)) return
    this.#values.add(value)
    this.#change(node, mask)
  }

  #hideAfter(node: Scalar, value: string, at: number): void {
    const secret = value.slice(at)
    if (secret === '' || isReference(secret)) return
    this.#values.add(secret)
    this.#change(node, value.slice(0, at) + mask)
  }

  #hideIn(node: Scalar, value: string): void {
    const { text, secrets } = maskText(value)
    if (secrets.length === 0 || this.#changes.has(node)) return
    for (const secret of secrets) this.#values.add(secret)
    this.#change(node, text, this.#inPlace(node, secrets))
  }

  /** Keeps the shape of a text of several lines, if the secrets are in the source as they are. */
  #inPlace(node: Scalar, secrets: readonly string[]): string | undefined {
    if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') return undefined
    const [start = 0, end = 0] = node.range ?? []
    const source = this.#source.slice(start, end)
    // The comment in the first line of a block could hold another.
    if (/^[|>][^\n]*#/.test(source)) return undefined
    const shown = maskText(source)
    const isSame =
      shown.secrets.length === secrets.length && shown.secrets.every((one, at) => one === secrets[at])
    return isSame ? shown.text : undefined
  }

  /** @param shown the value from now on. @param text how it is written, if not as a quoted one */
  #change(node: Scalar, shown: string, text = JSON.stringify(shown)): void {
    const [start, end] = node.range ?? []
    if (start === undefined || end === undefined) return
    const breaks = this.#source.slice(start, end).endsWith('\n') && !text.endsWith('\n') ? '\n' : ''
    this.#changes.set(node, { start, end, text: text + breaks, shown })
  }

  finish(pieces: readonly string[]): string {
    // Where a secret is written once more, by an innocent name.
    for (const node of this.#scalars) {
      const value = this.#changes.get(node)?.shown ?? textOf(node)
      const shown = this.#values.replace(value)
      if (shown !== value) this.#change(node, shown)
    }
    const changes: Change[] = [...this.#changes.values()]
    const hiddenLines = new Set(changes.map(({ end }) => this.#source.indexOf('\n', end - 1)))
    for (const { text, start } of tokensOutsideScalars(pieces)) {
      const end = start + text.length
      const isBeside = hiddenLines.has(this.#source.indexOf('\n', end))
      if (text.startsWith('#') && (isBeside || hasSecretName(text) || this.#values.replace(text) !== text)) {
        changes.push({ start, end, text: `# ${mask}` })
      }
    }
    return applied(this.#source, changes)
  }
}

/** The parser makes no other values than texts. */
const textOf = ({ value }: Scalar): string => (typeof value === 'string' ? value : '')

function contextOfField(name: string): Context {
  if (/^env(?:ironment)?$/i.test(name)) return 'environment'
  if (name === 'registryAuths') return 'registries'
  if (name === 'steps' || name === 'handlerOn') return 'names'
  if (name === 'secrets' || name === 'params' || name === 'output') return 'open'
  return isSecretName(name) ? 'secret' : 'plain'
}

const hasSecretName = (text: string): boolean =>
  [...text.matchAll(/[A-Za-z_][\w-]*/g)].some(([one]) => isSecretName(one))

function applied(source: string, changes: readonly Change[]): string {
  let shown = ''
  let at = 0
  for (const { start, end, text } of changes.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue
    shown += source.slice(at, start) + text
    at = end
  }
  return shown + source.slice(at)
}
