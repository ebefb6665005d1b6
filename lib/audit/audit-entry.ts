/** A change that a caller made or tried to make. */
export interface AuditEntry {
  readonly actor: string
  readonly role: string
  /** operationId of the endpoint. */
  readonly action: string
  /** Path of the call. */
  readonly target: string
  readonly requestId: string
  /** HTTP status of the answer. */
  readonly status: number
}

export interface StoredAuditEntry extends AuditEntry {
  /** Ids increase. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}
