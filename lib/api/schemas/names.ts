import * as v from 'valibot'
import { fileNamePattern, reservedFileNames, runIdPattern } from '#lib/core/ids.ts'
import { limits } from '#lib/core/limits.ts'

/** Names that callers give. Each has one schema, used in paths, queries and bodies alike. */

export const FileName = v.pipe(
  v.string(),
  v.regex(fileNamePattern, 'must hold only letters, digits, hyphens and underscores'),
  v.maxLength(limits.dagNameLengthMax, `must be at most ${limits.dagNameLengthMax} characters long`),
  v.description('Name of a DAG file'),
)

/** A file, or a DAG by its name: for calls that neither read nor change the text of a file. */
export const FileOrDagName = v.pipe(
  FileName,
  v.description('Name of a DAG file; or the `name` of a DAG, if no file and no other DAG has this name'),
)

const isFree = (name: string): boolean => !reservedFileNames.includes(name)
const freeRule = `must not be ${reservedFileNames.join(', ')}: these are words of the API`

/** Name of a file that is made. One that was stored earlier keeps its name, and can still be renamed or deleted. */
export const NewFileName = v.pipe(FileName, v.check(isFree, freeRule))

const DagName = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_.-]+$/, 'must hold only letters, digits, hyphens, underscores and dots'),
  v.maxLength(limits.dagNameLengthMax, `must be at most ${limits.dagNameLengthMax} characters long`),
  v.description('Name of a DAG, as its spec gives it'),
)

const runIdRule = `must hold 1 to ${limits.runIdLengthMax} letters, digits, hyphens or underscores`

/** A run id that a caller may choose. Forms send an empty text when it is left out. */
export const OptionalRunId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{0,64}$/, runIdRule),
  v.notValue('latest', 'must not be "latest", which stands for the newest run'),
  v.description('Id of a run; by default the service creates one'),
)

export const OptionalFileName = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_-]{0,40}$/, 'must hold only letters, digits, hyphens and underscores, at most 40'),
  v.check(isFree, freeRule),
  v.description('Name of a DAG'),
)

/** A run id in a path, or `latest`. */
const RunRef = v.pipe(v.string(), v.regex(runIdPattern, runIdRule), v.description('Id of a run, or `latest`'))

const StepName = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.maxLength(256, 'must be at most 256 characters long'),
  v.description('Name of a step, or of a handler (`onExit`, …)'),
)

export const DagPath = v.object({ fileName: FileName })
export const FoundDagPath = v.object({ fileName: FileOrDagName })
export const DagRunOfDagPath = v.object({ fileName: FileOrDagName, dagRunId: RunRef })
export const DagNamePath = v.object({ name: DagName })
export const RunPath = v.object({ name: DagName, dagRunId: RunRef })
export const StepPath = v.object({ name: DagName, dagRunId: RunRef, stepName: StepName })
export const ChildPath = v.object({ name: DagName, dagRunId: RunRef, childDAGRunId: RunRef })
export const ChildStepPath = v.object({
  name: DagName,
  dagRunId: RunRef,
  childDAGRunId: RunRef,
  stepName: StepName,
})

export const OptionalQueueName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z0-9_.-]{0,40}$/,
    'must hold only letters, digits, hyphens, underscores and dots, at most 40',
  ),
  v.description('Name of a queue; that of the DAG when absent'),
)
