import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleWeb } from '#local/bundle-web.ts'
import { bundleDocs } from '#local/docs/bundle-docs.ts'

/** The page of the sources and its docs, in a folder for all files of a run. The first that asks bundles them. */
export async function builtPage(): Promise<URL> {
  const folder = join(process.env['TESTS_COMPILED_CODE'] ?? '', 'page')
  if (!existsSync(folder)) await build(folder)
  return pathToFileURL(`${folder}/`)
}

/** Workers that begin in the same moment build one each. The folder of the first counts. */
async function build(folder: string): Promise<void> {
  const draft = mkdtempSync(`${folder}-`)
  const web = await bundleWeb()
  const docs = await bundleDocs()
  const documents = [...docs.files].map(([name, contents]) => [`docs/${name}`, contents] as const)
  for (const [name, contents] of [...web.files, ...documents]) {
    const path = join(draft, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
