import type { IncomingMessage } from 'node:http'

/**
 * Where a call comes from. A proxy that the settings trust says for whom it asks: then the last address in
 * `X-Forwarded-For` that is no such proxy counts. What anybody else writes there is ignored.
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: readonly string[],
): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = [...forwarded.split(','), socket.remoteAddress ?? ''].map(plain).filter((hop) => hop !== '')
  return hops.findLast((hop) => !trustedProxies.includes(hop)) ?? hops[0] ?? ''
}

/** An IPv4 address in IPv6 clothes is the IPv4 address. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')
