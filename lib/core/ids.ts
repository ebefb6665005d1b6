/** What names a DAG file in a path (spec: "Endpoints"). */
export const fileNamePattern = /^[a-zA-Z0-9_-]+$/

/** What a caller may choose as run id; `latest` is taken (it names the newest run in a path). */
export const runIdPattern = /^[A-Za-z0-9_-]{1,64}$/
