import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const source = new URL('../../../lib/config/system-zone.ts', import.meta.url)
const script = `
  const { systemZone } = await import(${JSON.stringify(source)})
  const withTemporal = systemZone()
  delete globalThis.Temporal
  console.log(withTemporal, systemZone())`

const zonesWith = (TZ: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { TZ },
    encoding: 'utf8',
  }).trim()

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [':Asia/Tokyo', 'Asia/Tokyo'],
  ['Middle/Earth', 'UTC'],
  ['', 'UTC'],
])('TZ=%s means %s, with Temporal and without', (tz, zone) => {
  expect(zonesWith(tz)).toBe(`${zone} ${zone}`)
})
