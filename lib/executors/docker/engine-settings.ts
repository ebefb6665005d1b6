import { ContainerFault } from './engine-fault.ts'

export type Settings = Readonly<Record<string, unknown>>

/**
 * Settings of the engine's API by their lower-case names. The engine ignores case, so a setting must have one name here
 * too; otherwise one spelling could be checked and another one obeyed.
 * @throws ContainerFault for an invalid name, or one that is given twice
 */
export function byLowerName(given: Settings, address: string): Map<string, unknown> {
  const settings = new Map<string, unknown>()
  for (const [name, value] of Object.entries(given)) {
    // To the engine, some non-ASCII letters equal ASCII ones: the Kelvin sign is a k.
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      throw new ContainerFault(`${address} has no setting ${JSON.stringify(name)}`)
    const lower = name.toLowerCase()
    if (settings.has(lower)) throw new ContainerFault(`${address} gives ${name} twice`)
    settings.set(lower, value)
  }
  return settings
}

/** A list of texts. The engine accepts a single text for a list in some places, so it becomes a list here. */
export function textsOf(value: unknown): string[] {
  return [value ?? []].flat().map(String)
}

export function mapOf(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {}
}

/** `80` is `80/tcp`. */
function portName(port: string): string {
  return port.includes('/') ? port : `${port}/tcp`
}

/** Exposed ports, given as a map, a list, or a single port. */
export function readExposedPorts(value: unknown): Record<string, object> {
  const ports =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value)
      : [value ?? []].flat().map(String)
  return Object.fromEntries(ports.map((port) => [portName(port.trim()), {}]))
}

interface PortBinding {
  readonly HostIp: string
  readonly HostPort: string
}

/** Maps each port of the container to where it is published. */
export function readPortBindings(value: unknown): Record<string, PortBinding[]> {
  const entries = Object.entries(mapOf(value)).map(([port, places]): [string, PortBinding[]] => [
    portName(port.trim()),
    [places ?? {}].flat().map((address) => {
      const settings = byLowerName(mapOf(address), `portBindings of ${port}`)
      return { HostIp: textOf(settings.get('hostip')), HostPort: textOf(settings.get('hostport')) }
    }),
  ])
  return Object.fromEntries(entries)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
}
