import type { Answer, Arguments } from '#lib/client/client.ts'
import type { RunAddress } from '../model/links.ts'
import type { Ask } from './call.ts'

export type RunDetails = Extract<Answer<'getDagRun'>, { status: 200 }>['body']['dagRun']
export type RunOutline = Extract<Answer<'getRunOutline'>, { status: 200 }>['body']
export type NodeDetails = RunDetails['nodes'][number]
type LogLines = Extract<Answer<'getStepLog'>, { status: 200 }>['body']
type Query<Id extends 'getStepLog' | 'searchStepLog' | 'getMergedLog'> = NonNullable<
  (Arguments<Id>[0] & { readonly query?: object })['query']
>

/** The calls about a run, be it a root run or a child run. */
export interface RunCalls {
  /** With its steps in short. */
  readonly outline: () => Promise<RunOutline>
  readonly step: (stepName: string) => Promise<NodeDetails>
  readonly stepLog: (stepName: string, query: Query<'getStepLog'>) => Promise<LogLines>
  /** @returns JSON lines */
  readonly searchStepLog: (stepName: string, query: Query<'searchStepLog'>) => Promise<string>
  /** @returns JSON lines: what all steps wrote */
  readonly mergedLog: (query: Query<'getMergedLog'>) => Promise<string>
  /** @param status code of the API */
  readonly setStep: (stepName: string, status: number) => Promise<unknown>
}

export function callsAbout(ask: Ask, { name, runId: dagRunId, childId, attempt }: RunAddress): RunCalls {
  const of = attempt === undefined ? {} : { attempt }
  const root = { name, dagRunId }
  if (childId === undefined) {
    return {
      outline: () => ask('getRunOutline', { params: root, query: of }),
      step: (stepName) => ask('getStep', { params: { ...root, stepName }, query: of }),
      stepLog: (stepName, query) =>
        ask('getStepLog', { params: { ...root, stepName }, query: { ...of, ...query } }),
      searchStepLog: async (stepName, query) =>
        await textOf(await ask('searchStepLog', { params: { ...root, stepName }, query })),
      mergedLog: async (query) => await textOf(await ask('getMergedLog', { params: root, query })),
      setStep: (stepName, status) =>
        ask('updateStepStatus', { params: { ...root, stepName }, body: { status } }),
    }
  }
  const child = { ...root, childDAGRunId: childId }
  return {
    outline: () => ask('getChildRunOutline', { params: child, query: of }),
    step: (stepName) => ask('getChildStep', { params: { ...child, stepName }, query: of }),
    stepLog: (stepName, query) =>
      ask('getChildStepLog', { params: { ...child, stepName }, query: { ...of, ...query } }),
    searchStepLog: async (stepName, query) =>
      await textOf(await ask('searchChildStepLog', { params: { ...child, stepName }, query })),
    mergedLog: async (query) => await textOf(await ask('getMergedChildLog', { params: child, query })),
    setStep: (stepName, status) =>
      ask('updateChildStepStatus', { params: { ...child, stepName }, body: { status } }),
  }
}

/** The key of a run in the cache; those of its logs and reasons begin with it, and with those of its root run. */
export const runKey = ({ name, runId, childId, attempt }: RunAddress): readonly string[] => [
  'run',
  name,
  runId,
  ...(childId === undefined ? [] : ['child', childId]),
  ...(attempt === undefined ? [] : ['attempt', String(attempt)]),
]

const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text()
