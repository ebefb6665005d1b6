import { readFileSync } from 'node:fs'
import { defineCommand } from '../command.ts'

export const version = defineCommand({
  name: 'version',
  summary: 'Print the version of this program',
  usage: [''],
  options: {},
  async run({ output }) {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    output.show({ version }, version)
  },
})
