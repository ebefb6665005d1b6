import { badRequest } from '#lib/core/errors.ts'

/** The entity tag of a version of a spec. */
export function specETag(version: number): string {
  return `"${version}"`
}

/**
 * The version in `If-Match`; undefined when any version is accepted.
 * @throws ServiceError `bad_request` for a malformed tag
 */
export function versionOf(ifMatch: string | null): number | undefined {
  if (ifMatch === null || ifMatch.trim() === '*') return undefined
  const version = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(ifMatch)?.[1]
  if (version === undefined)
    throw badRequest(`If-Match: must be an ETag of this spec, got ${JSON.stringify(ifMatch)}`)
  return Number(version)
}
