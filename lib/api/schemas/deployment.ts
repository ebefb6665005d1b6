import * as v from 'valibot'
import { roles } from '#lib/core/roles.ts'

/** What an admin sees of the deployment: findings, processes, settings and remote nodes. */

const moment = v.pipe(v.string(), v.description('RFC 3339'))
const names = v.array(v.string())

const Finding = v.object({
  check: v.string(),
  level: v.picklist(['ok', 'warn', 'fail']),
  text: v.string(),
  advice: v.exactOptional(v.pipe(v.string(), v.description('What to do about it'))),
})

const ServiceProcess = v.object({
  id: v.string(),
  part: v.pipe(v.string(), v.description('server (API and tick), api, tick or runner')),
  host: v.string(),
  pid: v.pipe(v.number(), v.integer()),
  version: v.string(),
  startedAt: moment,
  seenAt: moment,
  isActive: v.pipe(v.boolean(), v.description('It was seen within 75 seconds')),
})

export const SystemAnswer = v.object({
  version: v.pipe(v.string(), v.description('Of the process that answers')),
  startedAt: moment,
  findings: v.array(Finding),
  processes: v.pipe(v.array(ServiceProcess), v.description('Active processes; functions are not listed')),
  migrations: v.object({
    applied: v.array(v.object({ name: v.string(), at: moment })),
    pending: names,
    changed: v.pipe(names, v.description('Files whose text has changed since they were applied')),
    newer: v.pipe(names, v.description('Applied by a newer program')),
  }),
  limits: v.pipe(
    v.record(v.string(), v.number()),
    v.description('Bytes and milliseconds, unless the name says otherwise'),
  ),
})

const Setting = v.object({
  name: v.string(),
  value: v.pipe(v.string(), v.description('Empty for secrets and computed values')),
  source: v.pipe(
    v.picklist(['environment', 'database', 'default']),
    v.description('database: all parts share it; the process that started last decides'),
  ),
  appliedBy: v.exactOptional(v.pipe(v.string(), v.description('The process that wrote it to the database'))),
  isSecret: v.pipe(v.boolean(), v.description('Its value is never sent to anyone')),
  default: v.pipe(v.string(), v.description('In words')),
  description: v.string(),
})

export const SettingList = v.object({ settings: v.array(Setting) })

const RemoteNode = v.object({
  name: v.string(),
  baseUrl: v.string(),
  state: v.pipe(
    v.picklist(['reachable', 'refused', 'unreachable']),
    v.description('refused: it answers, but refuses the configured credential'),
  ),
  tookMs: v.pipe(v.number(), v.integer()),
  version: v.exactOptional(v.string()),
  role: v.exactOptional(v.pipe(v.picklist(roles), v.description('Role of the credential there'))),
  error: v.exactOptional(v.string()),
})

export const NodeList = v.object({ nodes: v.array(RemoteNode) })

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Finding, ServiceProcess, Setting, RemoteNode }
