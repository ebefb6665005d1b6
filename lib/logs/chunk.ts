/** A piece of a stream as a row of `log_chunk`. */
export interface Chunk {
  readonly sequence: number
  readonly first_line: string
  readonly line_count: number
  readonly byte_offset: string
  readonly byte_count: number
  readonly body: Uint8Array
  /** Name of the object that holds the bytes; `body` then has only the last of them. */
  readonly object: string | null
}
