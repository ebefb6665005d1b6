import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Memory of all processes of a system, MiB. */
export interface Memory {
  /** Proportional set size, which counts shared pages once; including PostgreSQL. */
  readonly all: number
  /** Sum of the resident set sizes of the processes of the service, without PostgreSQL. */
  readonly service: number
}

/** Measures the resources of all processes of one system, including ended ones. */
export interface ControlGroup {
  adopt(pid: number): Promise<void>
  /** CPU milliseconds so far. */
  cpuMs(): Promise<number>
  memory(): Promise<Memory>
}

/** @returns undefined without root or cgroup v1; the figures are then omitted */
export async function controlGroup(name: string): Promise<ControlGroup | undefined> {
  const folder = `/sys/fs/cgroup/cpuacct/${name}`
  try {
    await mkdir(folder, { recursive: true })
  } catch {
    return undefined
  }
  const members = async (): Promise<string[]> =>
    (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n').filter((pid) => pid !== '')
  return {
    adopt: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    cpuMs: async () => Number(await readFile(join(folder, 'cpuacct.usage'), 'utf8')) / 1e6,
    memory: async () => {
      const processes = await Promise.all((await members()).map(memoryOf))
      return {
        all: processes.reduce((sum, { pss }) => sum + pss, 0),
        service: processes.reduce((sum, { rss, name: of }) => (of === 'postgres' ? sum : sum + rss), 0),
      }
    },
  }
}

async function memoryOf(pid: string): Promise<{ name: string; rss: number; pss: number }> {
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const text = await read('smaps_rollup')
  const mib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { name: (await read('comm')).trim(), rss: mib('Rss'), pss: mib('Pss') }
}
