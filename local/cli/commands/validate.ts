import { defineCommand } from '../command.ts'
import { namedService, placeDetails, placeOptions } from '../service.ts'

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check DAG files, also against the DAGs and queues of a service',
  usage: ['PATH…'],
  details: `A PATH is a YAML file, or a folder of them, subfolders included. ${placeDetails}`,
  options: placeOptions,
  async run({ words, options, output }) {
    const { filesOf, nameOfFile, readDagFile } = await import('../dag-file.ts')
    const { formatProblem } = await import('#lib/definition/read-spec.ts')
    const service = namedService(options)
    let exitCode = 0
    const files = (await Promise.all(words.map(filesOf))).flat()
    const together = new Set(files.map(nameOfFile))
    for (const file of files) {
      const { faults, problems, warnings } = await readDagFile(file, service, together)
      const isValid = faults.length === 0
      const lines = [
        ...(isValid ? [output.style('green', 'valid')] : faults.map((fault) => output.style('red', fault))),
        ...warnings.map((warning) => `${output.style('yellow', 'warning:')} ${formatProblem(warning)}`),
      ]
      const text = lines.map((line) => `${file}: ${line}`).join('\n')
      output.show({ file, valid: isValid, errors: faults, problems, warnings }, text)
      if (!isValid) exitCode = 1
    }
    return exitCode
  },
})
