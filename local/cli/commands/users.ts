import { UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { readSecret } from '../read-secret.ts'
import { readRole } from '../role.ts'
import { defineServiceCommand, type Service } from '../service.ts'

export const users = defineServiceCommand({
  name: 'users',
  summary: 'List, create, update, sign out or delete users',
  usage: ['list', 'create NAME ROLE', 'update NAME', 'sign-out NAME', 'delete NAME'],
  details: 'ROLE is viewer, operator, editor or admin. A password is the first line of standard input.',
  options: {
    role: { value: 'ROLE', about: 'update: give this role' },
    password: { about: 'update: give another password' },
    disable: { about: 'update: disable the user' },
    enable: { about: 'update: enable the user again' },
  },
  async run({ words: [verb = '', username = '', role = ''], options, output }, service) {
    if (verb === 'list') return await list(service, output)
    if (verb === 'create') {
      const body = { username, role: readRole(role), password: await readSecret(`password of ${username}`) }
      const { user } = await service.ask('createUser', { body })
      return output.show(user, `${username} is created`)
    }
    if (verb === 'sign-out') {
      const { ended } = await service.ask('endUserSessions', { params: { username } })
      return output.show({ username, ended }, `${username} is signed out: ${ended} sessions`)
    }
    if (verb === 'delete') {
      await service.ask('deleteUser', { params: { username } })
      return output.show({ username, deleted: true }, `${username} is deleted`)
    }
    const { disable, enable, password } = options
    if (disable && enable) throw new UsageError('--disable and --enable do not go together')
    if (options.role === undefined && !password && !disable && !enable) {
      throw new UsageError('say what to change: --role, --password, --disable or --enable')
    }
    const body = {
      ...(options.role !== undefined && { role: readRole(options.role) }),
      ...(password && { password: await readSecret(`new password of ${username}`) }),
      ...((disable || enable) && { disabled: disable }),
    }
    const { user } = await service.ask('updateUser', { params: { username }, body })
    output.show(user, `${username} is updated`)
  },
})

async function list(service: Service, output: Output): Promise<void> {
  const { users } = await service.ask('listUsers')
  output.table(
    users,
    {
      name: ({ username }) => username,
      role: ({ role }) => role,
      disabled: ({ disabled }) => (disabled ? 'yes' : ''),
      created: ({ createdAt }) => output.time(createdAt),
    },
    'no users',
  )
}
