/** How one attempt of a step looks at its child runs. */
export interface ChildView {
  readonly step: string
  readonly iteration: number
  /** The children were begun under an earlier owner of the parent: those that failed are not run again. */
  readonly reattach: boolean
  /** Of the attempt: its children belong to its trace. */
  readonly traceparent?: string | undefined
  readonly signal: AbortSignal
}
