const bundled = new URL('../bundled.mjs', import.meta.url)

/**
 * Turns this process into a part of the service (local/main.ts, api.ts …), as the npm scripts do. Settings, signals and
 * exit code are then those of the part.
 */
export async function startPart(part: string, args: readonly string[] = []): Promise<never> {
  process.argv.splice(2, process.argv.length, part, ...args)
  // Under another address than the one that may have loaded this command, which would not run again.
  await import(`${bundled.href}?${part}`)
  return await new Promise<never>(() => {})
}
