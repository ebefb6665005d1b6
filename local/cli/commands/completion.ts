import { defineCommand } from '../command.ts'
import { completions } from '../completions.ts'

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print what completes these commands in a shell',
  usage: ['bash', 'zsh', 'fish'],
  details:
    'bash: eval "$(millrace completion bash)"   zsh: the same with zsh   fish: millrace completion fish | source',
  options: {},
  async run({ words: [shell = ''], output }) {
    const { commands } = await import('../commands.ts')
    const script = completions[shell as keyof typeof completions](commands)
    output.show({ script }, script)
  },
})
