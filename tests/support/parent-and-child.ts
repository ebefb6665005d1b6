import { testApi } from './api.ts'

/** Creates a run with a child run, both with logs. */
export async function parentAndChild() {
  const api = await testApi()
  await api.createDag(
    'top',
    'steps:\n  - {name: call, run: kid}\n---\nname: kid\nsteps:\n  - {name: inner, command: echo 1}\n',
  )
  const root = await api.start('top')
  await api.startChild(root, { dagName: 'kid', runId: 'k1', step: 'call', document: 'kid' })
  await api.claim()
  await api.writeLog('k1', 'inner', 'stdout', 'one\ntwo\nthree\n')
  await api.writeLog('k1', '', 'run', 'begun\nended\n')
  await api.writeLog(root, '', 'run', 'the root has begun\n')
  const path = `/dag-runs/top/${root}`
  return { api, root, path, child: `${path}/children/k1`, unknown: `${path}/children/k9` }
}
