/** A template for a new DAG. */
export interface Template {
  readonly title: string
  readonly spec: string
}

export const templates: readonly Template[] = [
  {
    title: 'Two steps',
    spec: `steps:
  - name: first
    command: echo hello
  - name: second
    command: echo "done"
`,
  },
  {
    title: 'Steps at the same time',
    spec: `type: graph
steps:
  - name: fetch
    command: echo fetched
  - name: left
    command: echo left
    depends: fetch
  - name: right
    command: echo right
    depends: fetch
  - name: join
    command: echo joined
    depends: [left, right]
`,
  },
  {
    title: 'On a schedule, with a param and retries',
    spec: `description: What it is for
schedule: "0 4 * * *"
params:
  - TARGET: world
steps:
  - name: work
    command: echo "hello $TARGET"
    retryPolicy:
      limit: 3
      intervalSec: 60
handlerOn:
  failure:
    command: echo "somebody should look at this"
`,
  },
  {
    title: 'An output that a later step uses',
    spec: `steps:
  - name: count
    command: ls | wc -l
    output: FILES
  - name: report
    command: echo "$FILES files"
`,
  },
  {
    title: 'A DAG that calls another one',
    spec: `steps:
  - name: each
    call: part
    parallel:
      items: [north, south]
      maxConcurrent: 2
---
name: part
steps:
  - name: work
    command: echo "$ITEM"
`,
  },
  { title: 'Nothing', spec: '' },
]
