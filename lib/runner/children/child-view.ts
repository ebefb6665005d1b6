/** The attempt of a step that starts or awaits child runs. */
export interface ChildView {
  readonly step: string
  readonly iteration: number
  /** True when an earlier owner of the parent started the children: those that failed are not retried. */
  readonly reattach: boolean
  /** Trace context of the attempt; its children join that trace. */
  readonly traceparent?: string | undefined
  readonly signal: AbortSignal
}
