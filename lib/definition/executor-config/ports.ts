import type { Position } from '#lib/definition/reading/position.ts'

/** `[[address:]host port:]container port[/protocol]`; address and host port may be variables. */
const form = /^(?:(?:(.*):)?([^:]*):)?(\d{1,5})(?:\/(tcp|udp|sctp))?$/

export interface Ports {
  readonly container: { readonly exposedPorts?: Readonly<Record<string, object>> }
  readonly host: { readonly portBindings?: Readonly<Record<string, readonly object[]>> }
}

/** Converts the short form of ports to settings of the Docker API. */
export function readPorts(position: Position): Ports {
  const exposedPorts: Record<string, object> = {}
  const portBindings: Record<string, object[]> = {}
  if (position.node === undefined) return { container: {}, host: {} }
  for (const one of position.items()) {
    const match = form.exec(one.text.trim())
    if (match === null) {
      one.fault(`must be a port such as 80, 8080:80 or 127.0.0.1:8080:80/tcp, is ${JSON.stringify(one.text)}`)
      continue
    }
    const [, hostIP, hostPort, port, protocol = 'tcp'] = match
    const key = `${port}/${protocol}`
    exposedPorts[key] = {}
    if (hostPort === undefined) continue
    portBindings[key] ??= []
    portBindings[key].push({ ...(hostIP !== undefined && { hostIP }), hostPort })
  }
  return {
    container: { exposedPorts },
    host: Object.keys(portBindings).length === 0 ? {} : { portBindings },
  }
}
