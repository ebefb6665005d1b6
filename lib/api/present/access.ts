import type { ApiKey } from '#lib/api-keys/api-key.ts'
import type { StoredAuditEntry } from '#lib/audit/audit-entry.ts'
import type { User } from '#lib/users/user.ts'
import { timestamp } from './timestamp.ts'

export function presentUser({ username, role, disabled, createdAt, updatedAt }: User) {
  return { username, role, disabled, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}

export function presentApiKey({ id, name, role, prefix, createdBy, owner, ...times }: ApiKey) {
  return {
    id,
    name,
    role,
    prefix,
    createdBy,
    owner: owner ?? '',
    createdAt: timestamp(times.createdAt),
    expiresAt: timestamp(times.expiresAt ?? undefined),
    lastUsedAt: timestamp(times.lastUsedAt ?? undefined),
    revokedAt: timestamp(times.revokedAt ?? undefined),
  }
}

export function presentAuditEntry({ at, ...entry }: StoredAuditEntry) {
  const { actor, role, action, target, address, count, requestId, status, changes } = entry
  return {
    at: timestamp(at),
    actor,
    role,
    action,
    target,
    address,
    count,
    requestId,
    status,
    changes: [...(changes ?? [])],
  }
}
