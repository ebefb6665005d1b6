import type { IncomingMessage } from 'node:http'

/**
 * The address of the caller. When a trusted proxy calls, it is the last address in `X-Forwarded-For` that is not itself
 * a trusted proxy. The header of anybody else is ignored.
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: readonly string[],
): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = [...forwarded.split(','), socket.remoteAddress ?? '']
    .map(plainAddress)
    .filter((hop) => hop !== '')
  return hops.findLast((hop) => !trustedProxies.includes(hop)) ?? hops[0] ?? ''
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
export const plainAddress = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')
