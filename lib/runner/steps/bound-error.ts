import { limits } from '#lib/core/limits.ts'

/** Shortens the error of a step: it is stored, and is part of every response about its run. */
export function boundError(error: string): string {
  const more = error.length - limits.stepErrorLengthMax
  if (more <= 0) return error
  // The cut may split a surrogate pair, which the database refuses.
  return `${error.slice(0, limits.stepErrorLengthMax).toWellFormed()}… (${more} characters more)`
}
