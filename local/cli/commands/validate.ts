import { defineCommand } from '../command.ts'

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check DAG files, without a service',
  usage: ['PATH…'],
  details: 'A PATH is a YAML file, or a folder of them.',
  options: {},
  async run({ words, output }) {
    const { filesOf, readDagFile } = await import('../dag-file.ts')
    let exitCode = 0
    for (const file of (await Promise.all(words.map(filesOf))).flat()) {
      const { faults } = await readDagFile(file)
      const isValid = faults.length === 0
      const text = isValid ? `${file}: valid` : faults.map((fault) => `${file}: ${fault}`).join('\n')
      output.show({ file, valid: isValid, errors: faults }, text)
      if (!isValid) exitCode = 1
    }
    return exitCode
  },
})
