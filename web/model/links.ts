/** The address of a run: a root run, or a child run at any depth. */
export interface RunAddress {
  /** Of the root run: the name of its DAG, and its id. */
  readonly name: string
  readonly runId: string
  readonly childId?: string
  /** The attempt to show; default: the current one. */
  readonly attempt?: number
}

/** A log of a run. Without a step: what all its steps wrote, in chronological order. */
export interface LogPosition {
  readonly step?: string
  readonly stream?: LogStream
  /** The attempt of the run; default: the latest with output. */
  readonly attempt?: number
  /** Counted from 1. */
  readonly line?: number
}

export type LogStream = 'stdout' | 'stderr' | 'both'

export type AdminView = 'keys' | 'audit' | 'system' | 'settings' | 'nodes'

type Query = Readonly<Record<string, string | undefined>>

/** The URLs of the page, all below the base from which it was loaded. */
export interface Links {
  readonly base: string
  readonly dags: string
  readonly runs: string
  /** The search results for a text. */
  readonly search: (text: string) => string
  /** Two root runs, each as `name/id`. Without the first: the run before the second. */
  readonly compare: (a: string | undefined, b: string) => string
  readonly queues: string
  readonly runners: string
  readonly schedule: string
  readonly overview: string
  /** Every operation of the API. */
  readonly reference: string
  /** A page of the docs, with its section: `users.html#sessions`. */
  readonly docs: (page: string) => string
  /** @param view of the DAG; its overview when absent */
  readonly dag: (fileName: string, view?: 'runs' | 'spec' | 'schedule' | 'versions') => string
  /** The versions of a DAG. @param query the two that are compared */
  readonly versions: (fileName: string, query: Query) => string
  /** The text of a DAG, at a line. */
  readonly specAt: (fileName: string, line?: number) => string
  readonly newDag: string
  readonly importDags: string
  readonly queue: (name: string, query?: Query) => string
  /** @param view of the page for admins; the users when absent */
  readonly admin: (view?: AdminView) => string
  /** The settings of this browser. */
  readonly settings: string
  readonly run: (name: string, runId: string, query?: Query) => string
  readonly runAt: (run: RunAddress, query?: Query) => string
  readonly log: (run: RunAddress, address: LogPosition) => string
  /** The whole log of a stream as a file, from the API. */
  readonly rawLog: (run: RunAddress, address: LogPosition & { readonly step: string }) => string
}

/** @param base path that ends in a slash */
export function linksBelow(base: string): Links {
  const path = (...parts: readonly string[]): string => base + parts.map(encodeURIComponent).join('/')
  const runPath = ({ name, runId, childId }: RunAddress): string =>
    path('runs', name, runId, ...(childId === undefined ? [] : ['child', childId]))
  const runAt = (run: RunAddress, query: Query = {}): string =>
    withQuery(runPath(run), { ...query, attempt: run.attempt?.toString() })
  return {
    base,
    dags: path('dags'),
    runs: path('runs'),
    search: (text) => withQuery(path('search'), { q: text === '' ? undefined : text }),
    compare: (a, b) => withQuery(path('compare'), { a, b }),
    queues: path('queues'),
    runners: path('runners'),
    schedule: path('schedule'),
    overview: path('overview'),
    reference: path('reference'),
    docs: (page) => `${base}docs/${page}`,
    dag: (fileName, view) => path('dags', fileName, ...(view === undefined ? [] : [view])),
    versions: (fileName, query) => withQuery(path('dags', fileName, 'versions'), query),
    specAt: (fileName, line) => path('dags', fileName, 'spec') + (line === undefined ? '' : `#L${line}`),
    newDag: path('new'),
    importDags: path('import'),
    queue: (name, query = {}) => withQuery(path('queues', name), query),
    admin: (view) => path('admin', ...(view === undefined ? [] : [view])),
    settings: path('settings'),
    run: (name, runId, query) => runAt({ name, runId }, query),
    runAt,
    log: (run, { step, stream, attempt = run.attempt, line }) =>
      withQuery(`${runPath(run)}/log`, { step: step ?? '', stream, attempt: attempt?.toString() }) +
      (line === undefined ? '' : `#L${line}`),
    rawLog: ({ name, runId, childId }, { step, stream, attempt }) => {
      const run = ['dag-runs', name, runId, ...(childId === undefined ? [] : ['children', childId])]
      const address = path('api', 'v2', ...run, 'steps', step, 'log', 'raw')
      return withQuery(address, { stream, attempt: attempt?.toString() })
    },
  }
}

/** The attempt in a URL. */
export const readAttempt = (text: string | undefined): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined

export function withQuery(address: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = new URLSearchParams(given).toString()
  return text === '' ? address : `${address}?${text}`
}
