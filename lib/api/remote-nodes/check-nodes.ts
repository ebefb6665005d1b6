import type { RemoteNode } from '#lib/config/remote-nodes.ts'
import { messageOf } from '#lib/core/errors.ts'
import { roles, type Role } from '#lib/core/roles.ts'
import { forwardCall } from './forward-call.ts'

/** Whether a node answers, and what its credential is good for. */
export interface NodeState {
  readonly name: string
  readonly baseUrl: string
  readonly state: 'reachable' | 'refused' | 'unreachable'
  /** Milliseconds until it answered or was given up. */
  readonly tookMs: number
  readonly version?: string
  readonly role?: Role
  readonly error?: string
}

/** Asks every node at once who calls, with its own credential. @param silenceMs until a node is given up */
export function checkNodes(nodes: readonly RemoteNode[], silenceMs: number): Promise<NodeState[]> {
  return Promise.all(nodes.map((node) => checkNode(node, silenceMs)))
}

async function checkNode(node: RemoteNode, silenceMs: number): Promise<NodeState> {
  const begun = performance.now()
  const answer = await ask(node, silenceMs).catch(
    (error: unknown) => ({ state: stateOf(error), error: messageOf(error) }) as const,
  )
  return { name: node.name, baseUrl: node.baseUrl, tookMs: Math.round(performance.now() - begun), ...answer }
}

const refusal = 'it refuses the configured credential'

async function ask(
  node: RemoteNode,
  silenceMs: number,
): Promise<Omit<NodeState, 'name' | 'baseUrl' | 'tookMs'>> {
  const answer = await forwardCall(
    node,
    {
      method: 'GET',
      target: '/session',
      headers: new Headers(),
      body: undefined,
      requestId: '',
      role: undefined,
      signal: new AbortController().signal,
    },
    silenceMs,
  )
  const said = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>> | null
  if (!answer.ok) return { state: 'reachable', error: `it answers ${answer.status}: it has no sessions` }
  const role = roles.find((one) => one === said?.['role'])
  const version = typeof said?.['version'] === 'string' ? said['version'].slice(0, 100) : undefined
  return {
    state: role === undefined ? 'refused' : 'reachable',
    ...(version !== undefined && { version }),
    ...(role === undefined ? { error: refusal } : { role }),
  }
}

const stateOf = (error: unknown): 'refused' | 'unreachable' =>
  messageOf(error).includes('refuses the credential') ? 'refused' : 'unreachable'
