import { asStepUser } from '#lib/privileges/step-identity.ts'
import { readSmallFile } from './read-small-file.ts'

/** {@link readSmallFile} with the rights of a step, for files that a DAG names. */
export const readStepFile: typeof readSmallFile = (path, options) =>
  asStepUser(() => readSmallFile(path, options))
