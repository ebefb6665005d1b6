import { UsageError, defineCommand } from '../command.ts'
import { helpOf, overview } from '../help.ts'

export const help = defineCommand({
  name: 'help',
  summary: 'Show help for a command',
  usage: ['[COMMAND]'],
  options: {},
  async run({ words: [name], output }) {
    const { commands } = await import('../commands.ts')
    const command = commands.find((candidate) => candidate.name === name)
    if (name !== undefined && command === undefined) {
      throw new UsageError(`${JSON.stringify(name)} is not a command`)
    }
    const text = command === undefined ? overview(commands) : helpOf(command)
    output.show({ help: text }, text)
  },
})
