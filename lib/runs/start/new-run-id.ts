import { randomBytes } from 'node:crypto'

/**
 * Makes a UUIDv7: 48 bits of time, then random bits, so that ids sort by creation (RFC 9562, section 5.7).
 * @param nowMs milliseconds since 1970
 */
export function newRunId(nowMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
