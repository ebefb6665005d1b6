import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentFindings, presentPlan, presentStepsOfText } from '#lib/api/present/dag.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { ValidateBody } from '#lib/api/schemas/bodies.ts'
import { ValidateAnswer } from '#lib/api/schemas/dag.ts'
import { summarizeDag } from '#lib/dags/summarize-dag.ts'
import { warnAboutMissing } from '#lib/dags/warn-about-missing.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { checkGivenParams } from '#lib/runs/start/run-params.ts'
import { previewRun } from '#lib/runs/start/preview-run.ts'

export const validateDag = defineRoute({
  method: 'post',
  path: '/dags/validate',
  operationId: 'validateDag',
  summary: 'Check a spec without storing it; with plan=true, also show what a run of it would do',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({ plan: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false') }),
  body: ValidateBody,
  response: ValidateAnswer,
  async handle({ query, body, caller }, { db, now, defaults }) {
    const file = { ...(await defaults()), fileName: body.name || 'validated-dag' }
    const reading = readSpec(body.spec, file)
    const { dag, problems } = reading
    const warnings = [...reading.warnings, ...(await warnAboutMissing(db, reading))]
    const found = { ...presentFindings(problems, warnings), steps: presentStepsOfText(reading) }
    const answer = { valid: problems.length === 0, ...found, dag: summarizeDag(dag) }
    if (query.plan === 'false' || !answer.valid) return answer
    checkGivenParams(dag, body.params)
    const plan = await previewRun(viewOf(caller).planned(dag, body.spec, file), {
      params: body.params,
      now: now(),
      zone: file.zone,
    })
    return { ...answer, plan: presentPlan(plan) }
  },
})
