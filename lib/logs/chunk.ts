import type { Database } from '#lib/db/client.ts'

/** A piece of a stream as a row of `log_chunk`. */
export interface Chunk {
  readonly sequence: number
  readonly firstLine: number
  readonly lineCount: number
  readonly byteOffset: number
  readonly byteCount: number
  readonly body: Uint8Array
  /** Name of the object that holds the bytes; `body` then has only the last of them. */
  readonly object: string | null
}

/** A {@link Chunk}. Numbers beyond an int are cast to floats, here as in every query; only keys stay texts. */
export const chunkColumns = ({ sql }: Database) => sql`
  sequence, first_line::float8 as "firstLine", line_count as "lineCount",
  byte_offset::float8 as "byteOffset", byte_count as "byteCount", body, object`
