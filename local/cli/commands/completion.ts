import { defineCommand } from '../command.ts'
import { completions } from '../completions.ts'

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print a shell completion script',
  usage: ['bash', 'zsh', 'fish', 'dags [BEGINNING]'],
  details:
    'bash: eval "$(millrace completion bash)"   zsh: the same with zsh   fish: millrace completion fish | source\n' +
    'The last form prints names of DAGs. It asks the service of MILLRACE_URL and waits at most two seconds.',
  options: {},
  async run({ words: [shell = '', beginning = ''], output }) {
    if (shell === 'dags') {
      const { dagNames } = await import('../dag-names.ts')
      for (const dag of await dagNames(beginning)) output.show({ dag }, dag)
      return
    }
    const { commands } = await import('../commands.ts')
    const script = completions[shell as keyof typeof completions](commands)
    output.show({ script }, script)
  },
})
