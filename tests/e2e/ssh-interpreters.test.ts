import { expect, test } from 'vitest'
import { hasSshd, startSshd } from '#tests/executors/ssh/sshd.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
kit.runner()

test.runIf(hasSshd)(
  'scripts for other interpreters than a shell reach the other machine verbatim',
  async () => {
    const sshd = await startSshd()
    const executor = (config: object): string =>
      `executor: {type: ssh, config: ${JSON.stringify({ ...sshd.login, ...config })}}`
    const run = await kit.start([
      'env: [{NOTE: "it\'s $(echo data)"}]',
      'steps:',
      '  - name: named-by-the-script',
      `    ${executor({})}`,
      '    script: |',
      '      #!/usr/bin/awk -f',
      '      BEGIN { print "${NOTE}", ENVIRON["NOTE"] }',
      '  - name: named-by-the-step',
      `    ${executor({})}`,
      '    command: awk -f',
      '    script: |',
      '      BEGIN { print "${NOTE}", ENVIRON["NOTE"] }',
      '  - name: a-shell-of-the-config',
      `    ${executor({ shell: 'bash' })}`,
      '    script: |',
      '      echo "${NOTE}"',
    ])
    try {
      const end = await kit.finished(run, 30_000)
      expect({ errors: end.errors, status: end.status }).toEqual({ errors: {}, status: 'success' })
      expect(await kit.log(run, 'named-by-the-script')).toBe("${NOTE} it's $(echo data)\n")
      expect(await kit.log(run, 'named-by-the-step')).toBe("${NOTE} it's $(echo data)\n")
      expect(await kit.log(run, 'a-shell-of-the-config')).toBe("it's $(echo data)\n")
    } finally {
      sshd.stop()
    }
  },
)
