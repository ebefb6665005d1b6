import { readShape } from '../reading/shape.ts'
import { Ssh, type SshConfig } from '../schema/ssh.ts'
import { ordinary } from './ordinary.ts'
import { lenient, type ConfigPosition, type ExecutorRecord } from './record.ts'

export const ssh: ExecutorRecord = {
  spellings: [],
  description: 'runs a program on another machine',
  config: Ssh,
  command: 'one',
  script: 'work',
  shell: 'remote',
  texts: 'program',
  paths: ['key', 'knownHostFile'],
  lacking: 'needs command or script, which runs on the other machine',
  inherited: 'the ssh field of the DAG makes it one, type: shell runs on the runner',
  readConfig,
}

function readConfig({ raw, position, at, defaults }: ConfigPosition): SshConfig {
  const { value = {}, position: given } = readShape(Ssh, at, lenient)
  const shell = raw.shell === undefined ? undefined : [raw.shell].flat().join(' ')
  const config: SshConfig = { ...defaults.ssh, ...ordinary(value), ...(shell !== undefined && { shell }) }
  const isDescribed = at.isGiven || defaults.ssh !== undefined
  const isRefused = value.host === undefined && given.at('host').isGiven
  if (isDescribed && !isRefused && (config.host ?? '').trim() === '') {
    ;(at.isGiven ? at : position).fault('needs host, in its config or in the ssh field of the DAG')
  }
  return config
}
