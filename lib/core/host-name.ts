/** A name or an IPv4 address, or an IPv6 address in brackets; then a port. No user info, comma, zone id or blank. */
const authorityForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{0,5})?$/i

/**
 * The name of a `Host` header in its canonical form: lower case, without the port and without the dot of the DNS root;
 * IPv6 addresses are in brackets.
 * @returns undefined when the text is not a host
 */
export function hostNameOf(authority: string): string | undefined {
  if (!authorityForm.test(authority)) return undefined
  return URL.parse(`http://${authority}`)?.hostname.replace(/(?<=[^.])\.$/, '')
}

/** Whether a canonical name always means this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d+){3}$/.test(name)
  )
}
