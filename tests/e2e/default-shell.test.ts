import { existsSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const bash = '/bin/bash'
const dash = '/bin/dash'
const has = existsSync(bash) && existsSync(dash)

const kit = await runnerKit()
const runners = has
  ? [
      kit.runner({ shell: bash, labels: { shell: 'bash' } }),
      kit.runner({ shell: dash, labels: { shell: 'dash' } }),
    ]
  : []
afterAll(() => Promise.all(runners.map((runner) => runner.stop())))

/** What the steps of a spec print on the runner with this default shell. */
async function printed(shell: string, spec: readonly string[], steps: readonly string[]): Promise<string[]> {
  const run = await kit.start(spec, { labels: { shell } })
  await kit.finished(run)
  return await Promise.all(steps.map((step) => kit.log(run, step)))
}

const which = 'echo "${BASH_VERSION:+bash}${BASH_VERSION:-dash}" | cut -c1-4'
const spec = [
  'steps:',
  `  - {name: command, command: '${which}'}`,
  `  - {name: script, script: '${which}'}`,
  `  - {name: without, shell: direct, script: '${which}'}`,
  `  - {name: named, shell: sh, command: '${which}'}`,
  `  - {name: marked, script: "#!/bin/sh\\n${which.replaceAll('"', '\\"')}"}`,
  '  - {name: direct, shell: direct, command: echo $0 plain}',
]
const names = ['command', 'script', 'without', 'named', 'marked', 'direct']
const sh = 'dash\n'

test.skipIf(!has).each([
  ['bash', 'bash\n'],
  ['dash', 'dash\n'],
])('%s as the default shell runs only commands and scripts that name no shell', async (shell, own) => {
  const [command, script, without, named, marked, direct] = await printed(shell, spec, names)
  expect([command, script, without]).toEqual([own, own, own])
  expect([named, marked, direct]).toEqual([sh, sh, '$0 plain\n'])
})

test.skipIf(!has)(
  'a failing command ends a step in either default shell, and the shell of the DAG wins',
  async () => {
    for (const shell of ['bash', 'dash']) {
      const run = await kit.start(['steps:', '  - {name: a, command: "echo 1; false; echo 2"}'], {
        labels: { shell },
      })
      expect(await kit.finished(run)).toMatchObject({ status: 'failed' })
      expect(await kit.log(run, 'a')).toBe('1\n')
      expect(await printed(shell, ['shell: bash', ...spec], ['command'])).toEqual(['bash\n'])
    }
  },
)
