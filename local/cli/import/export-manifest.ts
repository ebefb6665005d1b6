import { parse, stringify } from 'yaml'
import * as v from 'valibot'
import { roles } from '#lib/core/roles.ts'

const role = v.picklist(roles)

/** The contents of an export other than DAGs. Passwords and secrets of keys cannot be read, so it has none. */
const Manifest = v.strictObject({
  /** Version of this format. */
  millrace: v.literal(1),
  suspended: v.array(v.string()),
  queues: v.array(v.strictObject({ name: v.string(), maxConcurrency: v.pipe(v.number(), v.integer()) })),
  users: v.array(v.strictObject({ username: v.string(), role, disabled: v.boolean() })),
  keys: v.array(v.strictObject({ name: v.string(), role, owner: v.string(), expiresAt: v.string() })),
})

export type ExportManifest = v.InferOutput<typeof Manifest>

export const manifestFile = 'millrace.yaml'

export const writeManifest = (manifest: ExportManifest): string => stringify(manifest)

/** @throws Error that names the first fault */
export function readManifest(text: string): ExportManifest {
  const reading = v.safeParse(Manifest, parse(text, { maxAliasCount: 0 }))
  if (reading.success) return reading.output
  const [issue] = reading.issues
  throw new Error(`${manifestFile}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`)
}
