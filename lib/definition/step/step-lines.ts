import type { Definition, StepLines } from '#lib/definition/definition.ts'
import type { SpecNode } from '#lib/definition/yaml/spec-node.ts'

interface LinedText {
  readonly text: string
  readonly lineOf: (offset: number) => number
}

/**
 * Where the steps of a document stand, in the order of the DAG. A step that is an alias stands where its anchor does.
 * @param dag read from the document
 */
export function stepLines(root: SpecNode, dag: Definition, { text, lineOf }: LinedText): StepLines[] {
  const nodes = stepNodes(root)
  return dag.steps.flatMap(({ name }, index) => {
    const node = nodes[index]
    if (node === undefined) return []
    const length = text.slice(node.at, node.end).trimEnd().length
    return [{ name, firstLine: lineOf(node.at), lastLine: lineOf(node.at + length) }]
  })
}

/** The steps as the list or map of steps has them; steps of one item one after the other. */
function stepNodes(root: SpecNode): readonly Pick<SpecNode, 'at' | 'end'>[] {
  if (root.kind !== 'map') return []
  const steps = [...root.entries].find(([key]) => key.toLowerCase() === 'steps')?.[1].value
  if (steps?.kind === 'map') {
    return [...steps.entries.values()].map(({ at, value }) => ({ at, end: value.end }))
  }
  if (steps?.kind !== 'list') return []
  return steps.items.flatMap((item) => (item.kind === 'list' ? item.items : [item]))
}
