/** Name of a DAG file in a path. */
export const fileNamePattern = /^[a-zA-Z0-9_-]+$/

/** Run ids that a caller may choose. `latest` matches but is reserved: in a path it names the newest run. */
export const runIdPattern = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Names that a new DAG file may not have: words of the API that stand where a path has the name of a DAG
 * (tests/api/reserved-names.test.ts derives them from the routes), and `latest`.
 */
export const reservedFileNames: readonly string[] = [
  'counts',
  'enqueue',
  'histogram',
  'latest',
  'search',
  'tags',
  'validate',
]
