import { limits } from '#lib/core/limits.ts'

/** The error of a step as it is stored and shown in every answer about its run. */
export function boundError(error: string): string {
  const more = error.length - limits.stepErrorLengthMax
  if (more <= 0) return error
  // A half of a surrogate pair is not a text for the database.
  return `${error.slice(0, limits.stepErrorLengthMax).toWellFormed()}… (${more} characters more)`
}
