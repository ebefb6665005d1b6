import { Connection, type ConnectionOptions, type Send } from './connection.ts'
import { codeOf } from './errors.ts'

export interface PoolOptions extends Pick<ConnectionOptions, 'settings' | 'serverMs'> {
  /** Maximum number of connections. */
  readonly max: number
  /** Milliseconds after which an unused connection is closed; undefined: kept until it is old. */
  readonly idleMs: number | undefined
}

/** Maximum age of a connection, milliseconds, because the memory of its backend grows. */
const lifeMs = 1_800_000

interface Waiting {
  readonly take: (connection: Connection) => void
  readonly fail: (error: Error) => void
}

class PoolFailure extends Error {
  readonly code: 'CONNECTION_ENDED' | 'ETIMEDOUT'

  constructor(code: PoolFailure['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Connections, opened on demand. Each runs one statement at a time; when all are busy, callers queue. */
export class Pool {
  readonly #options: PoolOptions
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []
  readonly #waiting = new Set<Waiting>()
  #turn = 0
  #isEnding = false
  #ended: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @param withinMs limit for the wait for a connection, and again for the statement; undefined: none */
  async run<Result>(send: Send<Result>, withinMs: number | undefined): Promise<Result> {
    const connection = await this.#take(withinMs)
    try {
      return await connection.run(send, withinMs)
    } catch (error) {
      // The other idle connections may be dead, too, and new ones are cheap.
      if (codeOf(error) === 'ETIMEDOUT') for (const idle of this.#idle.splice(0)) idle.close()
      throw error
    } finally {
      this.#give(connection)
    }
  }

  /** Statements in flight have `ms` to finish. */
  async close(ms: number): Promise<void> {
    this.#isEnding = true
    for (const { fail } of this.#waiting) fail(new PoolFailure('CONNECTION_ENDED', 'the pool is closed'))
    for (const idle of this.#idle.splice(0)) idle.close()
    if (this.#all.size === 0) return
    const limit = setTimeout(() => {
      for (const connection of this.#all) connection.close()
    }, ms)
    await new Promise<void>((resolve) => {
      this.#ended = resolve
    })
    clearTimeout(limit)
  }

  async #take(withinMs: number | undefined): Promise<Connection> {
    if (this.#isEnding) throw new PoolFailure('CONNECTION_ENDED', 'the pool is closed')
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (this.#isTrusted(idle)) return idle
      idle.close()
    }
    if (this.#all.size < this.#options.max) return this.#open()
    return await this.#wait(withinMs)
  }

  #wait(withinMs: number | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        take: (connection) => {
          leave()
          resolve(connection)
        },
        fail: (error) => {
          leave()
          reject(error)
        },
      }
      const timer =
        withinMs === undefined
          ? undefined
          : setTimeout(() => {
              waiting.fail(new PoolFailure('ETIMEDOUT', `no connection was free within ${withinMs} ms`))
            }, withinMs)
      this.#waiting.add(waiting)
    })
  }

  #open(): Connection {
    const connection: Connection = new Connection({
      ...this.#options,
      turn: this.#turn++,
      onLost: () => this.#forget(connection),
    })
    this.#all.add(connection)
    return connection
  }

  #give(connection: Connection): void {
    if (this.#isEnding || performance.now() - connection.bornAt > lifeMs) connection.close()
    if (connection.isLost) return
    const [next] = this.#waiting
    if (next !== undefined) return next.take(connection)
    this.#idle.push(connection)
    this.#closeWhenUnused(connection)
  }

  /** In a process that was frozen, a connection may be requested before the timer that should have closed it fires. */
  #isTrusted(connection: Connection): boolean {
    const { idleMs = Infinity } = this.#options
    return performance.now() - connection.usedAt <= idleMs
  }

  #closeWhenUnused(connection: Connection): void {
    const { idleMs } = this.#options
    if (idleMs === undefined) return
    const uses = connection.uses
    setTimeout(() => {
      if (connection.uses === uses) connection.close()
    }, idleMs).unref()
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#all.size === 0) this.#ended?.()
    const [next] = this.#waiting
    if (next !== undefined && !this.#isEnding) next.take(this.#open())
  }
}
