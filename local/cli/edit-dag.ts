import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '#lib/core/errors.ts'
import { confirm } from './confirm.ts'
import { withDag } from './find-dag.ts'
import { plain, type Output } from './output.ts'
import { Refusal, type Service } from './service.ts'

/**
 * Opens a DAG in the user's editor, and saves it if it has no faults and was not saved by anyone else meanwhile.
 * @returns the exit code
 * @throws Error before the editor opens when the DAG comes from a file of the service; Error that names the file with
 * the text when it could not be saved
 */
export async function editDag(
  service: Service,
  { dag, message }: { readonly dag: string; readonly message: string | undefined },
  output: Output,
): Promise<number> {
  const { fileName, spec, readOnly, etag } = await withDag(service, dag, async (fileName) => {
    const { headers, body } = await service.exchange({}, 'getDagSpec', { params: { fileName } })
    return { fileName, spec: body.spec, readOnly: body.readOnly, etag: headers.get('etag') }
  })
  if (readOnly !== undefined) throw new Error(readOnly)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-edit-'))
  const file = join(folder, `${fileName}.yaml`)
  await writeFile(file, spec)
  try {
    for (;;) {
      await openEditor(file)
      const text = await readFile(file, 'utf8')
      if (text === spec) {
        await rm(folder, { recursive: true })
        output.show({ dag: fileName, saved: false }, `${fileName} is unchanged`)
        return 0
      }
      const { errors, warnings } = await save(service, { fileName, text, message, etag })
      if (errors.length === 0) {
        await rm(folder, { recursive: true })
        const notes = warnings.map((warning) => `  warning: ${plain(warning)}`)
        output.show({ dag: fileName, saved: true, warnings }, [`${fileName} is saved`, ...notes].join('\n'))
        return 0
      }
      for (const error of errors) output.writeError(`${plain(error)}\n`)
      if (!(await confirm('Edit again?'))) throw new Error(`${fileName} has errors and is not saved`)
    }
  } catch (error) {
    throw new Error(`${messageOf(error)}; the text is in ${file}`, { cause: error })
  }
}

async function save(
  service: Service,
  {
    fileName,
    text,
    message,
    etag,
  }: {
    readonly fileName: string
    readonly text: string
    readonly message: string | undefined
    readonly etag: string | null
  },
): Promise<{ errors: readonly string[]; warnings: readonly string[] }> {
  const headers = etag === null ? undefined : { 'if-match': etag }
  try {
    const request = { params: { fileName }, body: { spec: text, ...(message !== undefined && { message }) } }
    const { body } = await service.exchange(headers ?? {}, 'updateDagSpec', request)
    return { errors: body.errors ?? [], warnings: body.warnings.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 412) throw error
    throw new Error(`somebody else has saved ${fileName} in the meantime, so nothing is saved`, {
      cause: error,
    })
  }
}

/** @throws Error when there is no editor, or it fails */
async function openEditor(file: string): Promise<void> {
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi'
  // An editor may come with arguments (code --wait), so a shell reads the setting.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the editor ${JSON.stringify(editor)} ended with ${code ?? 'a signal'}`)
}
