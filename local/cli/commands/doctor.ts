import { defineCommand } from '../command.ts'
import { plain } from '../output.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check a deployment: database, migrations, log store, tick, runners …',
  usage: [''],
  details:
    'Run it with the settings of the service. It starts and changes nothing. Each problem names the page of ' +
    'the docs, at /docs of the service, that explains it. The exit code is 1 if a check fails.',
  options: {},
  async run({ output }) {
    const { examine } = await import('../doctor/examine.ts')
    let exitCode = 0
    for await (const finding of examine(process.env)) {
      const { check, level, text, advice, help } = finding
      if (level === 'fail') exitCode = 1
      const more = `${advice === undefined ? '' : ` → ${advice}`}${help === undefined ? '' : ` (${help})`}`
      const line = `${level.padEnd(4)}  ${check.padEnd(16)}  ${text}${more}`
      output.show(finding, plain(line))
    }
    return exitCode
  },
})
