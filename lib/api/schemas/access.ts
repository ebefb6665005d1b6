import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { UnixSeconds } from './numbers.ts'
import { roles } from '#lib/core/roles.ts'

/** Users, API keys and the audit log. */

const timestamp = v.pipe(v.string(), v.description('RFC 3339; empty when it does not apply'))
const role = v.pipe(
  v.picklist(roles, `must be one of ${roles.join(', ')}`),
  v.description('Each role may do what those before it may: viewer, operator, editor, admin'),
)

const Username = v.pipe(
  v.string('must be a text'),
  v.regex(
    /^[A-Za-z0-9_.@-]{1,64}$/,
    'must hold 1 to 64 letters, digits, hyphens, underscores, dots or at signs',
  ),
  // No path can name these, so nobody could take the rights of such a user back.
  v.check((name) => name !== '.' && name !== '..', 'must not be . or ..'),
)

const Password = v.pipe(
  v.string('must be a text'),
  v.minLength(limits.passwordLengthMin, `must have at least ${limits.passwordLengthMin} characters`),
  v.maxLength(limits.passwordLengthMax, `must have at most ${limits.passwordLengthMax} characters`),
  v.description('Not the user name, not only common words, no sequence of neighbouring characters'),
)

/** Others who call are called so in the audit log. */
const takenNames = ['anonymous', 'token', 'tick']

const NewUsername = v.pipe(
  Username,
  v.check(
    (name) => !takenNames.includes(name),
    `must not be ${takenNames.join(', ')}: other callers have these names`,
  ),
)

export const UserPath = v.object({ username: Username })
export const CreateUserBody = v.object({ username: NewUsername, password: Password, role })
export const UpdateUserBody = v.object({
  password: v.exactOptional(Password),
  role: v.exactOptional(role),
  disabled: v.exactOptional(v.boolean('must be true or false')),
})

const User = v.object({
  username: v.string(),
  role,
  disabled: v.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export const UserAnswer = v.object({ user: User })
export const UserList = v.object({ users: v.array(User) })

export const EndedSessions = v.object({
  ended: v.pipe(v.number(), v.integer(), v.description('Sessions that have ended')),
})

export const ApiKeyPath = v.object({
  keyId: v.pipe(v.string(), v.regex(/^[0-9a-fA-F-]{36}$/, 'must be the id of an API key')),
})
/** Strict, because a misspelt `expiresInDays` must not create a key that never expires. */
export const CreateApiKeyBody = v.strictObject({
  name: v.pipe(
    v.string('must be a text'),
    v.regex(/\S/, 'must not be empty'),
    v.maxLength(limits.apiKeyNameLengthMax, `must have at most ${limits.apiKeyNameLengthMax} characters`),
    v.check((name) => !/\p{Cc}/u.test(name), 'must not hold control characters'),
  ),
  role,
  expiresInDays: v.exactOptional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(limits.apiKeyDaysMax, `must be at most ${limits.apiKeyDaysMax}`),
    ),
  ),
})

const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  role,
  prefix: v.pipe(v.string(), v.description('The first characters of the key')),
  createdBy: v.string(),
  owner: v.pipe(
    v.string(),
    v.description(
      'The user whose current role limits the key, and with whom it ends; empty: made by a credential of the settings',
    ),
  ),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp,
  revokedAt: timestamp,
})
export const CreatedApiKey = v.object({
  apiKey: ApiKey,
  key: v.pipe(v.string(), v.description('The key itself; only this answer contains it')),
})
export const ApiKeyList = v.object({ apiKeys: v.array(ApiKey) })

const entryId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/, 'must be the nextCursor of an earlier answer'))
const word = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200, 'is too long'))
const value = v.pipe(v.nullable(v.string()), v.description('Null: it was or is absent'))

export const AuditQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${limits.auditEntriesMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.auditEntriesMax, `must be at most ${limits.auditEntriesMax}`),
    ),
    '100',
  ),
  cursor: v.exactOptional(entryId),
  actor: v.exactOptional(
    v.pipe(word, v.description('The user or key that called, or whose name was used in a refused login')),
  ),
  action: v.exactOptional(v.pipe(word, v.description('operationId of the endpoint, or login'))),
  target: v.exactOptional(v.pipe(word, v.description('A part of the path of the call'))),
  from: v.exactOptional(UnixSeconds),
  to: v.exactOptional(v.pipe(UnixSeconds, v.description('Seconds since 1970; entries before that time'))),
})
export const AuditList = v.object({
  entries: v.array(
    v.object({
      at: timestamp,
      actor: v.string(),
      role: v.string(),
      action: v.pipe(
        v.string(),
        v.description('operationId of the endpoint, or login for refused credentials'),
      ),
      target: v.pipe(v.string(), v.description('Path of the call; password or key for refused credentials')),
      address: v.pipe(v.string(), v.description('Where the call came from; empty when it is not known')),
      count: v.pipe(
        v.number(),
        v.integer(),
        v.description('How often it happened: refused credentials share an entry for five minutes'),
      ),
      requestId: v.string(),
      status: v.pipe(v.number(), v.integer(), v.description('HTTP status of the answer')),
      changes: v.pipe(
        v.array(v.object({ field: v.string(), before: value, after: value })),
        v.description('What the call changed; empty if it does not say. Never contains secrets'),
      ),
    }),
  ),
  nextCursor: v.exactOptional(v.string()),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { User, ApiKey }
