import { textDigest } from '#lib/api/answers/text-digest.ts'
import type { Definition } from '#lib/definition/definition.ts'

const known = new WeakMap<Definition, string>()

/** Identifies a definition. Masked values do not affect it, so that callers cannot guess them by trying. */
export function definitionDigest(definition: Definition): string {
  const digest = known.get(definition) ?? textDigest(JSON.stringify(definition))
  known.set(definition, digest)
  return digest
}
