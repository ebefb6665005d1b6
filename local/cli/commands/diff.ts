import { basename } from 'node:path'
import { limits } from '#lib/core/limits.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { withDag } from '../find-dag.ts'
import type { Output } from '../output.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { listVersions, readVersion } from '../versions.ts'

/** One of the two texts to compare. */
interface Side {
  readonly name: string
  readonly text: string
}

export const diff = defineServiceCommand({
  name: 'diff',
  summary: 'Show what changed between two versions of a DAG, or between one and a file',
  usage: ['DAG [A] [B]'],
  details:
    'A and B are version numbers, or paths of files (with a / or an extension). Without B, A is compared with the\n' +
    'newest version, or the newest version with the file A; without both, the newest version with the one before.\n' +
    'The exit code is 1 if something differs.',
  options: {},
  async run({ words: [dag = '', a, b], output }, service) {
    const [before, after] = await withDag(service, dag, (fileName) => sidesOf(service, fileName, a, b))
    const { formatPatch } = await import('diff')
    const { editsMax, lineChanges } = await import('../line-changes.ts')
    const changes = lineChanges([before.name, before.text], [after.name, after.text], 3)
    if (changes === undefined) {
      throw new Error(`${before.name} and ${after.name} differ in more than ${editsMax} lines`)
    }
    const patch = formatPatch(changes)
    const isSame = before.text === after.text
    if (output.isJson)
      output.show({ from: before.name, to: after.name, isSame, patch: isSame ? '' : patch }, '')
    else if (isSame) output.note(`${before.name} and ${after.name} are the same`)
    else output.write(coloured(patch, output))
    return isSame ? 0 : 1
  },
})

async function sidesOf(
  service: Service,
  fileName: string,
  a: string | undefined,
  b: string | undefined,
): Promise<readonly [Side, Side]> {
  const newest = async (): Promise<number> => (await listVersions(service, fileName, 1))[0]?.version ?? 1
  if (a !== undefined && b !== undefined)
    return [await sideOf(service, fileName, a), await sideOf(service, fileName, b)]
  const last = await sideOf(service, fileName, String(await newest()))
  if (a !== undefined) {
    const given = await sideOf(service, fileName, a)
    return isPath(a) ? [last, given] : [given, last]
  }
  const [, previous] = await listVersions(service, fileName, 2)
  const before = previous && (await sideOf(service, fileName, String(previous.version)))
  return [before ?? { name: '/dev/null', text: '' }, last]
}

const isPath = (word: string): boolean => /[/.]/.test(word)

async function sideOf(service: Service, fileName: string, word: string): Promise<Side> {
  if (isPath(word)) {
    const bytes = readSmallFile(word, { what: 'DAG file', bytesMax: limits.specBytesMax })
    return { name: basename(word), text: bytes.toString('utf8') }
  }
  const version = readVersion(word)
  const params = { fileName, version }
  const { spec } = await service.ask('getDagVersion', { params })
  return { name: `${fileName} version ${version}`, text: spec }
}

function coloured(patch: string, { style }: Output): string {
  return patch
    .replace(/^=+\n/, '')
    .split('\n')
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return style('bold', line)
      if (line.startsWith('+')) return style('green', line)
      if (line.startsWith('-')) return style('red', line)
      return line.startsWith('@@') ? style('cyan', line) : line
    })
    .join('\n')
}
