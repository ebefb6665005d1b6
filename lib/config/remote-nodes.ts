import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LineCounter, parseDocument, type Document } from 'yaml'

/** Another Millrace instance, to which calls can be forwarded. */
export interface RemoteNode {
  readonly name: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Value of the `Authorization` header for the node. Secret. */
  readonly authorization: string | undefined
}

/** Messages never contain a value: it may be a misplaced password. */
const map = (issue: v.BaseIssue<unknown>): string => {
  if (issue.expected === 'never') return 'is not a known field'
  return issue.received === 'undefined' ? 'is required' : 'must be a map'
}
const text = v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'))
const visible = v.regex(/^[\x21-\x7e]+$/, 'must hold visible ASCII characters only')

const Auth = v.union(
  [
    v.pipe(
      v.strictObject({ token: v.pipe(text, visible) }),
      v.transform(({ token }) => `Bearer ${token}`),
    ),
    v.pipe(
      v.strictObject({ username: v.pipe(text, v.excludes(':', 'must not contain a colon')), password: text }),
      v.transform(
        ({ username, password }) =>
          `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
      ),
    ),
  ],
  'must hold either token, or username and password, each of them a text',
)

const Nodes = v.pipe(
  v.array(
    v.pipe(
      v.strictObject(
        {
          name: v.pipe(
            text,
            v.regex(
              /^[A-Za-z0-9][\w.-]{0,62}$/,
              'must hold only letters, digits, dots, hyphens, underscores',
            ),
            v.notValue('local', 'must not be "local", which stands for this node'),
          ),
          baseUrl: v.pipe(
            text,
            v.check(isBaseUrl, 'must be http(s)://host[:port][/path]/api/v2, without a login'),
          ),
          auth: v.exactOptional(Auth),
        },
        map,
      ),
      v.transform(({ name, baseUrl, auth }): RemoteNode => ({
        name,
        baseUrl: new URL(baseUrl).href.replace(/\/$/, ''),
        authorization: auth,
      })),
    ),
    'must be a list of nodes',
  ),
  v.check((nodes) => new Set(nodes.map((node) => node.name)).size === nodes.length, 'names a node twice'),
)

function isBaseUrl(given: string): boolean {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isBare && /\/api\/v2\/?$/.test(url.pathname)
}

/**
 * Reads the nodes from the file MILLRACE_REMOTE_NODES (YAML or JSON). A file, because credentials in an environment
 * would be visible to other processes.
 * @throws Error that names file, line and field of every fault, but no value
 */
export function readRemoteNodes(file: string | undefined): readonly RemoteNode[] {
  if (file === undefined) return []
  const lines = new LineCounter()
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false })
  const faults = document.errors.map(({ code, pos: [at] }) => `line ${lines.linePos(at).line}: ${code}`)
  const reading = faults.length > 0 ? undefined : v.safeParse(Nodes, valuesOf(document))
  if (reading?.success) return reading.output
  for (const issue of reading?.issues ?? []) {
    const path = issue.path?.map((item) => item.key as string | number) ?? []
    faults.push(`line ${lines.linePos(offsetOf(document, path)).line}: ${path.join('.')} ${issue.message}`)
  }
  throw new Error(`MILLRACE_REMOTE_NODES=${file}:\n  ${faults.join('\n  ')}`)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`MILLRACE_REMOTE_NODES=${file}: the file cannot be read`, { cause })
  }
}

/** Undefined when an alias is unresolved; its name may be a password, so it is not reported. */
function valuesOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch {
    return undefined
  }
}

/** The offset of a field in the text; for a missing field, that of the closest enclosing map. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return Number(node.range[0])
    }
  }
  return 0
}
