import { once } from 'node:events'
import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startBundle, type Running } from './built.ts'

/** One process of the topology, which can be replaced. */
export interface Replaceable {
  readonly name: string
  /** What its current process has written. */
  readonly output: () => string
  /**
   * Stops it as a platform does, and starts it again, with changed settings if given.
   * @returns the exit code of the old process
   */
  readonly replace: (changed?: Settings) => Promise<number | null>
  /** Kills it, and starts it again. */
  readonly crash: () => Promise<void>
}

type Settings = Readonly<Record<string, string>>

export interface Topology {
  /** The URL of a load balancer in front of the APIs. */
  readonly url: string
  readonly members: readonly Replaceable[]
}

/** Starts 2 APIs, 2 ticks and 3 runners from their bundles, until the test ends. */
export async function startTopology(
  { dist, empty }: { readonly dist: string; readonly empty: string },
  settings: Settings,
): Promise<Topology> {
  const ports = new Map<string, number>()
  const bundle = (part: string): string => join(dist, part, 'index.mjs')

  async function startApi(name: string, own: Settings): Promise<Running> {
    const api = startBundle(bundle('api'), { ...own, MILLRACE_PORT: '0' }, { cwd: empty })
    ports.set(name, Number(await api.says(/listens on http:\S+:(\d+)/)))
    return api
  }
  async function startOther(part: string, own: Settings): Promise<Running> {
    const args = part === 'tick' ? ['--watch'] : []
    const running = startBundle(bundle(part), own, { args, cwd: empty })
    await running.says(/service\.started/)
    return running
  }
  async function member(part: 'api' | 'tick' | 'runner', index: number): Promise<Replaceable> {
    const name = `${part} ${index}`
    let own = settings
    const start = (): Promise<Running> => (part === 'api' ? startApi(name, own) : startOther(part, own))
    let running = await start()
    return {
      name,
      output: () => running.output(),
      replace: async (changed) => {
        const code = await running.stop()
        own = changed ?? own
        running = await start()
        return code
      },
      crash: async () => {
        await running.kill()
        running = await start()
      },
    }
  }
  const counts = { api: 2, tick: 2, runner: 3 } as const
  const members = await Promise.all(
    (['api', 'tick', 'runner'] as const).flatMap((part) =>
      Array.from({ length: counts[part] }, (_, index) => member(part, index + 1)),
    ),
  )
  return { url: await balance(() => [...ports.values()]), members }
}

/** Passes connections to the ports in turn, and to the next one if nothing listens. */
async function balance(ports: () => readonly number[]): Promise<string> {
  let turn = 0
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const forward = (client: Socket, left: number): void => {
    const all = ports()
    const port = all[turn++ % all.length] ?? 0
    const server = dial(port, '127.0.0.1')
    keep(server)
    const refuse = (): void => void (left > 0 ? forward(client, left - 1) : client.destroy())
    server.once('error', refuse)
    server.once('connect', () => {
      server.off('error', refuse)
      server.on('error', () => client.destroy())
      client.on('error', () => server.destroy())
      client.pipe(server).pipe(client)
    })
  }
  const balancer = createServer((client) => {
    keep(client)
    client.on('error', () => {})
    forward(client, 20)
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    balancer.close()
    await once(balancer, 'close')
  })
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
}
