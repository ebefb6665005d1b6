/** The addresses of the page, all below the base from which it was loaded. */
export interface Links {
  readonly base: string
  readonly dags: string
  readonly runs: string
  /** Every operation of the API. */
  readonly reference: string
  /** @param view of the DAG; its overview when absent */
  readonly dag: (fileName: string, view?: 'runs' | 'spec') => string
  readonly newDag: string
  readonly importDags: string
  readonly run: (name: string, runId: string, query?: Readonly<Record<string, string>>) => string
  readonly log: (name: string, runId: string, query: LogPlace) => string
  /** The whole log of a stream as a file, from the API. */
  readonly rawLog: (name: string, runId: string, place: Required<LogPlace>) => string
}

export interface LogPlace {
  readonly step: string
  readonly stream?: 'stdout' | 'stderr'
}

/** @param base path that ends in a slash */
export function linksBelow(base: string): Links {
  const path = (...parts: readonly string[]): string => base + parts.map(encodeURIComponent).join('/')
  return {
    base,
    dags: path('dags'),
    runs: path('runs'),
    reference: path('reference'),
    dag: (fileName, view) => path('dags', fileName, ...(view === undefined ? [] : [view])),
    newDag: path('new'),
    importDags: path('import'),
    run: (name, runId, query = {}) => withQuery(path('runs', name, runId), query),
    log: (name, runId, { step, stream }) =>
      withQuery(path('runs', name, runId, 'log'), { step, ...(stream !== undefined && { stream }) }),
    rawLog: (name, runId, { step, stream }) =>
      withQuery(path('api', 'v2', 'dag-runs', name, runId, 'steps', step, 'log', 'raw'), { stream }),
  }
}

export function withQuery(place: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? place : `${place}?${text}`
}
