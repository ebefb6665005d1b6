/** What a call changed: of a thing that is new, or gone, one of the two is null. */
export interface AuditChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** A change that a caller made or tried to make. */
export interface AuditEntry {
  readonly actor: string
  readonly role: string
  /** operationId of the endpoint, or `login`. */
  readonly action: string
  /** Path of the call, or the kind of a credential that was refused. */
  readonly target: string
  /** Where the call came from. */
  readonly address: string
  readonly requestId: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Null: the call does not say. */
  readonly changes?: readonly AuditChange[] | null
}

export interface StoredAuditEntry extends AuditEntry {
  /** Ids increase. */
  readonly id: string
  /** How often it happened. */
  readonly count: number
  /** Milliseconds since 1970. */
  readonly at: number
}
