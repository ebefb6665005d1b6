import { dockerHost, isPodman, reachEngine } from '#tests/executors/docker/engine.ts'

/** Prepares testcontainers for the engine of the tests. @returns false when there is none that it supports */
export async function prepareTestcontainers(): Promise<boolean> {
  if ((await reachEngine()) === undefined || isPodman) return false
  process.env['DOCKER_HOST'] = dockerHost
  // Ryuk, which cleans up after killed tests, would need an image from the network.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  return true
}
