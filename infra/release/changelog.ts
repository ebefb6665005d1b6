/** `changelog.ts [--tag vX.Y.Z]` prints the notes of the version in package.json, or why it cannot be released. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ownPackage } from './package-folder.ts'
import { releaseNotes } from './release-notes.ts'

const { values } = parseArgs({ options: { tag: { type: 'string' } } })
const version = String(ownPackage['version'])
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
try {
  if (values.tag !== undefined && values.tag !== `v${version}`)
    throw new Error(`the tag is ${values.tag}, package.json has ${version}`)
  process.stdout.write(releaseNotes(changelog, version))
} catch (error) {
  console.error(`changelog: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
