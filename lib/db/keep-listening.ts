import type { Connection } from './connection.ts'

export interface Listening {
  readonly stop: () => Promise<void>
}

export interface ListenOptions {
  readonly open: (callbacks: {
    readonly onNotify: (channel: string) => void
    readonly onLost: () => void
  }) => Connection
  readonly channels: readonly string[]
  /** Called with the channel of each notification, and with every channel whenever listening (re)starts. */
  readonly onHint: (channel: string) => void
  readonly withinMs: number
}

/** Interval between checks of the connection. */
const checkEveryMs = 15_000
/** Pause before a lost connection is replaced. */
const retryMs = 1_000

/** Listens on a separate connection, which is replaced whenever it is lost or does not respond. */
export function keepListening({ open, channels, onHint, withinMs }: ListenOptions): Listening {
  const names = new Set(channels)
  let isStopped = false
  let wake = (): void => undefined
  let current: Connection | undefined
  const pause = async (ms: number): Promise<void> => {
    if (isStopped) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }
  const listen = async (): Promise<void> => {
    const connection = open({
      onNotify: (channel) => names.has(channel) && onHint(channel),
      onLost: () => wake(),
    })
    current = connection
    try {
      const text = channels.map((channel) => `listen "${channel}"`).join(';')
      await connection.run((driver) => driver.unsafe(text), withinMs)
      for (const channel of channels) onHint(channel)
      while (!isStopped && !connection.isLost) {
        await pause(checkEveryMs)
        if (!connection.isLost) await connection.run((driver) => driver.unsafe('select'), withinMs)
      }
    } catch {
      // The database is unreachable. Hints are optional, and other statements report it.
    } finally {
      connection.close()
    }
  }
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await listen()
      await pause(retryMs)
    }
  }
  const done = loop()
  return {
    stop: () => {
      isStopped = true
      current?.close()
      wake()
      return done
    },
  }
}
