import { textDigest } from '#lib/api/answers/text-digest.ts'
import type { Definition } from '#lib/definition/definition.ts'

const known = new WeakMap<Definition, string>()

/** Tells definitions apart. Of a masked one it tells nothing about what is masked, so that nobody can try values. */
export function definitionDigest(definition: Definition): string {
  const digest = known.get(definition) ?? textDigest(JSON.stringify(definition))
  known.set(definition, digest)
  return digest
}
