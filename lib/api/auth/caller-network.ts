import { isIPv6 } from 'node:net'

/**
 * The part of an address that one party holds: a whole IPv4 address, or the first 64 bits of an IPv6 address, since
 * whoever has one address of such a network has all of them.
 */
export function callerNetwork(address: string): string {
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare) || bare.includes('.')) return address
  const [head = '', tail] = bare.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  const first = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}
