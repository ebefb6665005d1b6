import { createHash } from 'node:crypto'

/**
 * Names a child run by what it is for: the parent's run, the step, its round, the DAG and its params. The same call
 * has the same id whoever makes it, which is how a run that was taken over finds its children, and how equal items
 * of a fan-out are one run. In the form of a UUID of version 8 (RFC 9562, section 5.8).
 */
export function childRunId(call: {
  readonly parentRunId: string
  readonly step: string
  readonly round: number
  readonly dag: string
  readonly params: string | undefined
}): string {
  const text = JSON.stringify([call.parentRunId, call.step, call.round, call.dag, call.params ?? null])
  const hash = createHash('sha256').update(text).digest()
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x80
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
