import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { roles } from '#lib/core/roles.ts'

/** Signing in, and what a page must know at its start. */

const text = (lengthMax: number) =>
  v.pipe(
    v.string('must be a text'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(lengthMax, `must have at most ${lengthMax} characters`),
  )

/** Either a user with a password, or a token. No union of two: its faults would quote the credential. */
export const SignInBody = v.strictObject({
  username: v.exactOptional(
    v.pipe(
      text(limits.usernameLengthMax),
      v.check((name) => !/[:\p{Cc}]/u.test(name), 'must not hold a colon or control characters'),
    ),
  ),
  password: v.exactOptional(text(limits.passwordLengthMax)),
  token: v.exactOptional(
    v.pipe(
      text(limits.tokenLengthMax),
      v.regex(/^[\x21-\x7e]+$/, 'must hold visible ASCII characters only'),
      v.description('An API key or the token of the settings, instead of user name and password'),
    ),
  ),
})

const milliseconds = v.pipe(v.number(), v.integer())
const may = (what: string) => v.pipe(v.boolean(), v.description(what))
const count = v.pipe(v.number(), v.integer())

export const SessionAnswer = v.object({
  authRequired: v.pipe(v.boolean(), v.description('False: everybody is admin')),
  methods: v.pipe(
    v.array(v.picklist(['password', 'token'])),
    v.description('How to sign in; empty when nobody needs to'),
  ),
  name: v.exactOptional(v.pipe(v.string(), v.description('The caller; absent if nobody has signed in'))),
  role: v.exactOptional(v.picklist(roles)),
  expiresAt: v.exactOptional(v.pipe(v.string(), v.description('RFC 3339; only of a session'))),
  expiresAtMs: v.exactOptional(v.pipe(milliseconds, v.description('The same, in milliseconds since 1970'))),
  version: v.string(),
  instance: v.object({
    zone: v.pipe(v.string(), v.description('Time zone of schedules that name none')),
  }),
  nodes: v.pipe(v.array(v.string()), v.description('Remote nodes; empty for those who may not read')),
  can: v.object({
    read: may('See DAGs, runs and logs'),
    run: may('Start, stop and retry runs'),
    write: may('Change DAGs, and run texts that are not stored'),
    admin: may('Manage users and keys, and read the audit log'),
  }),
  limits: v.object({
    specBytes: count,
    paramsBytes: count,
    logLines: count,
    logBytes: v.pipe(count, v.description('Size of one answer with lines of a log')),
    dagsPerPage: count,
    runsPerPage: count,
    eventStreams: v.pipe(count, v.description('Of one caller at one process')),
  }),
})

const preferences = v.record(v.string(), v.unknown())

export const PreferencesBody = v.pipe(
  preferences,
  v.check(
    (given) => Buffer.byteLength(JSON.stringify(given)) <= limits.preferencesBytesMax,
    `must be at most ${limits.preferencesBytesMax} bytes long`,
  ),
  v.description(
    `A JSON object that only the page interprets, at most ${limits.preferencesBytesMax} bytes; replaces the one before`,
  ),
)

export const PreferencesAnswer = v.object({
  kept: v.pipe(
    v.boolean(),
    v.description('False: the service stores none for this caller, who is not a user with a password'),
  ),
  preferences,
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Session: SessionAnswer }
