import { defineCommand } from '../command.ts'

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check DAG files, without a service',
  usage: ['FILE…'],
  options: {},
  async run({ words, output }) {
    const { readDagFile } = await import('../dag-file.ts')
    let exitCode = 0
    for (const file of words) {
      const { faults } = await readDagFile(file)
      const isValid = faults.length === 0
      const text = isValid ? `${file}: valid` : faults.map((fault) => `${file}: ${fault}`).join('\n')
      output.show({ file, valid: isValid, errors: faults }, text)
      if (!isValid) exitCode = 1
    }
    return exitCode
  },
})
