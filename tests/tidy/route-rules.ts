import { errorStatuses } from '#lib/api/answers/error-body.ts'
import type { ErrorCode } from '#lib/core/errors.ts'

export interface RouteFile {
  readonly path: string
  readonly text: string
  /** The text of the test at the mirrored path. */
  readonly test: string | undefined
}

interface RouteRecord {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly errors: readonly ErrorCode[]
}

const camel = (kebab: string): string =>
  kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * File name, export and operationId are the same word; the test is at the mirrored path with a block per error
 * code that the record declares; every file is in the list once, and method and path are unique.
 */
export function routeFaults(files: readonly RouteFile[], routes: readonly RouteRecord[]): string[] {
  const endpoints = routes.map((route) => `${route.method} ${route.path}`)
  const twice = endpoints.filter((endpoint, index) => endpoints.indexOf(endpoint) !== index)
  return [
    ...twice.map((endpoint) => `${endpoint} is in the list twice`),
    ...files.flatMap((file) => fileFaults(file, routes)),
  ]
}

function fileFaults(file: RouteFile, routes: readonly RouteRecord[]): string[] {
  const word = camel(file.path.replace(/^.*\/|\.ts$/g, ''))
  const route = routes.find((candidate) => candidate.operationId === word)
  if (route === undefined) return [`${file.path}: ${word} is not in functions/api/routes.ts`]
  if (!new RegExp(`export const ${word}\\b`).test(file.text)) return [`${file.path}: does not export ${word}`]
  const test = file.test
  if (test === undefined) return [`${file.path}: has no test at the mirrored path`]
  return route.errors
    .filter((code) => !new RegExp(`describe\\(['"]\\d{3} ${code}`).test(test))
    .map((code) => `${file.path}: its test has no describe('${errorStatuses[code]} ${code}')`)
}
