import type { RemoteNode } from '#lib/config/remote-nodes.ts'
import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { checkNodes, type NodeState } from './check-nodes.ts'
import { forwardCall, forwardedHeader, type ForwardedCall } from './forward-call.ts'

/** Other instances of the service, by the names in the configuration. */
export interface RemoteNodes {
  readonly names: readonly string[]
  /**
   * Forwards a call and returns the answer of the node.
   * @throws ServiceError `bad_request` for an unknown name and for a call that was forwarded already,
   * `remote_node_error` when the node does not answer, `bad_gateway` when its answer is unusable
   */
  forward(name: string, call: ForwardedCall): Promise<Response>
  /** Whether each answers. */
  check(): Promise<NodeState[]>
}

/** Shorter than the time in which the API answers. */
const checkMsMax = 5_000

/** @param options.answerMs how long a node may be silent, before its answer and within it */
export function createRemoteNodes(
  nodes: readonly RemoteNode[],
  options: { readonly answerMs: number } = { answerMs: limits.remoteSilenceMs },
): RemoteNodes {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  return {
    names: nodes.map(({ name }) => name),
    async forward(name, call) {
      const node = byName.get(name)
      if (node === undefined)
        throw badRequest(`remoteNode: unknown node ${JSON.stringify(name.slice(0, 100))}`)
      if (call.headers.has(forwardedHeader)) {
        throw badRequest('remoteNode: a forwarded call cannot be forwarded again')
      }
      return forwardCall(node, call, options.answerMs)
    },
    check: () => checkNodes(nodes, Math.min(options.answerMs, checkMsMax)),
  }
}

/** The node that a query names; undefined: this instance. */
export function remoteNodeOf(query: Readonly<Record<string, string>>): string | undefined {
  const name = query['remoteNode']
  return name === 'local' ? undefined : name
}

/**
 * Path and query for the node. The path is built from the route and its validated parameters, so no encoding can reach
 * another endpoint there than the one whose access was checked here.
 * @throws ServiceError `bad_request` for a parameter such as `..`
 */
export function pathAtNode(path: string, params: Readonly<Record<string, unknown>>, query: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(params[key])
    if (value === '.' || value === '..')
      throw badRequest(`${key}: ${JSON.stringify(value)} is not a valid name`)
    return encodeURIComponent(value)
  })
  const rest = new URLSearchParams(query)
  rest.delete('remoteNode')
  return rest.size === 0 ? filled : `${filled}?${rest.toString()}`
}
