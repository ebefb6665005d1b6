import * as v from 'valibot'

const integer = v.pipe(v.number(), v.integer())

export const Precondition = v.object({
  condition: v.string(),
  expected: v.pipe(v.string(), v.description('Text, or `re:` and a pattern; empty: the command decides')),
  negate: v.exactOptional(v.boolean()),
  error: v.string(),
})

/** A step as its DAG defines it. `commands`, `script`, `call` … are names that later clients of the same API use. */
export const Step = v.object({
  name: v.string(),
  id: v.string(),
  description: v.string(),
  dir: v.pipe(v.string(), v.description('Working directory')),
  command: v.string(),
  args: v.array(v.string()),
  commands: v.exactOptional(v.array(v.object({ command: v.string(), args: v.array(v.string()) }))),
  script: v.exactOptional(v.string()),
  stdout: v.string(),
  stderr: v.string(),
  output: v.pipe(v.string(), v.description('Variable that captures the output')),
  preconditions: v.array(Precondition),
  depends: v.array(v.string()),
  repeatPolicy: v.object({
    repeat: v.boolean(),
    interval: v.pipe(integer, v.description('Seconds')),
    limit: v.exactOptional(integer),
  }),
  mailOnError: v.boolean(),
  run: v.pipe(v.string(), v.description('Name of the child DAG')),
  call: v.exactOptional(v.pipe(v.string(), v.description('The same as `run`'))),
  parallel: v.exactOptional(
    v.object({ items: v.union([v.string(), v.array(v.string())]), maxConcurrent: integer }),
  ),
  params: v.pipe(v.string(), v.description('Parameters for the child DAG')),
  executorConfig: v.exactOptional(v.object({ type: v.string() })),
  timeoutSec: v.exactOptional(integer),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Step, Precondition }
