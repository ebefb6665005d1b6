import { createHash } from 'node:crypto'

/**
 * Derives the id of a child run from its purpose: parent run, step, iteration, DAG and params. The same call has the
 * same id, whoever makes it. So a new owner of the parent finds its children, and equal items of a fan-out share one
 * run. The form is that of a UUID version 8 (RFC 9562, section 5.8).
 */
export function childRunId(call: {
  readonly parentRunId: string
  readonly step: string
  readonly iteration: number
  readonly dag: string
  readonly params: string | undefined
}): string {
  const text = JSON.stringify([call.parentRunId, call.step, call.iteration, call.dag, call.params ?? null])
  const hash = createHash('sha256').update(text).digest()
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x80
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
