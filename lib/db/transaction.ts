import postgres from 'postgres'
import { takeTls } from './tls.ts'

/** Sends a statement on the one connection of a transaction. */
export type Ask = <Row extends object>(statement: string, values?: readonly string[]) => Promise<Row[]>

/**
 * Runs a transaction on its own connection, for tools that read or write whole tables.
 * @param mode transaction modes for BEGIN, such as `isolation level repeatable read, read only`
 * @throws Error when the connection is lost: then nothing was written, and rows read so far must be discarded
 */
export async function inTransaction<Result>(
  url: string,
  mode: string,
  act: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  let isLost = false
  const { url: address, ...tls } = takeTls(url)
  const sql = postgres(address, {
    ...tls,
    max: 1,
    prepare: false,
    fetch_types: false,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: 'millrace-copy' },
    onclose: () => (isLost = true),
  })
  const ask: Ask = async <Row extends object>(statement: string, values: readonly string[] = []) => {
    const rows = await sql.unsafe<Row[]>(statement, [...values])
    // The driver would reconnect by itself and continue outside the transaction.
    if (isLost) throw new Error('the connection to the database was lost')
    return [...rows]
  }
  try {
    await ask(`begin ${mode}`)
    const result = await act(ask)
    await ask('commit')
    return result
  } finally {
    await sql.end({ timeout: 5 })
  }
}
