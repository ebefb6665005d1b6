import { startServed } from './bench/service.ts'
import { alone, dagText, nextName, put, untilFinished } from './bench/calls.ts'
import { mkdtempSync, rmSync, readFileSync, readdirSync } from 'node:fs'
const folder = mkdtempSync('/tmp/det-')
const s = await startServed(folder, 18998, 1)
const cpuOf = (pid: string) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10 }
const pids = () => readFileSync('/sys/fs/cgroup/cpuacct/millrace-bench-18998/cgroup.procs', 'utf8').trim().split('\n')
const api = pids().find((p) => readFileSync(`/proc/${p}/cmdline`, 'utf8').split('\0')[2] === 'api')!
try {
  const name = nextName('lat'); await put(s, name, dagText(1, 'echo hi', alone))
  const id = nextName('run'); await s.post(`/dags/${name}/start`, { dagRunId: id }); await untilFinished(s, name, id, 20)
  for (const path of (process.argv[2] ?? `/dag-runs/${name}/${id}`).split(',').map((p) => p === 'details' ? `/dag-runs/${name}/${id}` : p)) {
    for (let i = 0; i < 500; i++) await s.read(path)
    const n = Number(process.argv[3] ?? 4000)
    const all = await s.cpuMs(), a = cpuOf(api)
    const one = async () => { for (let i = 0; i < n / 4; i++) await s.read(path) }
    await Promise.all([one(), one(), one(), one()])
    const a2 = cpuOf(api), all2 = await s.cpuMs()
    console.log(path, 'api', ((a2 - a) / n).toFixed(3), 'all', ((all2 - all) / n).toFixed(3), 'ms each')
  }
} finally { await s.stop(); rmSync(folder, { recursive: true, force: true }) }
