/** A changed field. `before` is null for a new object, `after` for a deleted one. */
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
  /** Path of the call; for a refused credential, its kind. */
  readonly target: string
  /** IP address of the caller. */
  readonly address: string
  readonly requestId: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Null: the operation does not report changes. */
  readonly changes?: readonly AuditChange[] | null
}

export interface StoredAuditEntry extends AuditEntry {
  /** Ids increase. */
  readonly id: string
  /** How many times it happened; above 1 only for refused credentials. */
  readonly count: number
  /** Milliseconds since 1970. */
  readonly at: number
}
