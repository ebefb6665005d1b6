import { asStepUser } from '#lib/privileges/step-identity.ts'
import { readSmallFile } from './read-small-file.ts'

/** {@link readSmallFile} by the rights of a step, for a file that a DAG names. */
export const readStepFile: typeof readSmallFile = (path, options) =>
  asStepUser(() => readSmallFile(path, options))
