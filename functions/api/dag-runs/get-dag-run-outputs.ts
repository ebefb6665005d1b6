import { defineRoute } from '#lib/api/define-route.ts'
import { limits } from '#lib/core/limits.ts'
import { largeOutputs } from '#lib/api/answers/large-outputs.ts'
import { presentOutputs } from '#lib/api/present/outputs.ts'
import { RunPath } from '#lib/api/schemas/names.ts'
import { OutputsAnswer } from '#lib/api/schemas/run.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { Streamed } from '#lib/api/answers/streamed.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { storedOutputsSize, readOutputs } from '#lib/runs/read/read-outputs.ts'

export const getDagRunOutputs = defineRoute({
  method: 'get',
  path: '/dag-runs/{name}/{dagRunId}/outputs',
  operationId: 'getDagRunOutputs',
  summary: 'Return the captured outputs of a run',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found', 'service_unavailable'],
  params: RunPath,
  response: OutputsAnswer,
  async handle({ params, caller }, { db, definitions, labels, takeLargeOutputs }) {
    const run = await getRun(db, { dagName: params.name, runId: params.dagRunId })
    const definition = await definitions.read(db, run)
    const view = viewOf(caller)
    if ((await storedOutputsSize(db, run.runKey)) > limits.outputsAtOnceStoredBytesMax) {
      const pieces = largeOutputs(db, { run, definition }, { view, labels })
      return new Streamed(pieces, { 'content-type': 'application/json' }, takeLargeOutputs)
    }
    const shown = await view.outputs(await readOutputs(db, run.runKey), definition)
    return presentOutputs({ run, definition: view.definition(definition) }, shown, labels)
  },
})
