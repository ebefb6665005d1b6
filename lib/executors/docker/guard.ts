import { checkPath, type FileBound } from '#lib/files/file-bounds.ts'
import type { DockerSettings } from '../executor.ts'
import { absoluteFolder, bindSource, isFolder, isRoot, realPath, type BindFolders } from './binds.ts'
import { ContainerFault } from './engine-fault.ts'
import { byLowerName, mapOf, textsOf } from './engine-settings.ts'

export interface Guard extends BindFolders {
  readonly allow: DockerSettings['allow']
  /** Where all folders of the machine that are bound must be. */
  readonly fileBounds: readonly FileBound[] | undefined
  /** Socket of the engine; undefined when the engine is on another machine. */
  readonly socketPath: string | undefined
}

type Privilege = NonNullable<DockerSettings['allow']>[number]

const why: Readonly<Record<Privilege, string>> = {
  privileged: 'it gives the container power over the machine',
  root: 'it gives the container power over the machine',
  socket: 'with the socket of the engine a container can do anything on the machine',
}

/** Capabilities with which a container can break out. */
const strong =
  /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|SYS_BOOT|DAC_READ_SEARCH|MKNOD|BPF|PERFMON)$/i

/** Who writes into these, such as /etc/cron.d, has the machine. To be read, what is in them may be bound. */
const systemFolders = ['/bin', '/boot', '/etc', '/lib', '/lib64', '/sbin', '/sys', '/usr', '/var/spool/cron']
/** Who reads these has the keys of the machine. */
const closedFolders = ['/proc', '/var/lib/docker', '/var/lib/containers', '/var/lib/containerd']
/** Settings and keys of root: all but the data folder of a service that was started there. */
const homeOfRoot = /^\/root\/\.(?!millrace(?:\/|$))/
/** Parents of others, and /dev, in which /dev/shm is harmless. */
const refusedFolders = new Set([
  ...systemFolders,
  ...closedFolders,
  '/root',
  '/dev',
  '/var/lib',
  '/var/spool',
])

/** Usual paths of engine sockets. */
const sockets = [
  '/run/docker.sock',
  '/var/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/run/user/0/podman/podman.sock',
  '/run/user/1000/podman/podman.sock',
  '/run/user/1000/docker.sock',
]

/**
 * Refuses settings that would give the container control of the machine, unless the deployment allows them, and folders
 * outside of the bounds of files.
 * @param host settings of the host by lower-case name
 * @throws ContainerFault, FileError
 */
export function refuseDangers(host: ReadonlyMap<string, unknown>, guard: Guard): void {
  const refuse = (what: string, privilege: Privilege): void => {
    if (guard.allow?.includes(privilege) === true) return
    const setting = `MILLRACE_CONTAINER_ALLOW=${privilege}`
    throw new ContainerFault(
      `${what} is refused: ${why[privilege]}, which needs ${setting} in the deployment`,
    )
  }
  if (isOn(host.get('privileged'))) refuse('privileged', 'privileged')
  for (const capability of textsOf(host.get('capadd'))) {
    if (strong.test(capability)) refuse(`the capability ${capability}`, 'privileged')
  }
  for (const name of ['pidmode', 'usernsmode', 'cgroupnsmode']) {
    if (host.get(name) === 'host') refuse(`${name}: host`, 'privileged')
  }
  for (const option of textsOf(host.get('securityopt'))) {
    if (/unconfined|disable/i.test(option)) refuse(`the security option ${option}`, 'privileged')
  }
  for (const name of [
    'devices',
    'devicecgrouprules',
    'maskedpaths',
    'readonlypaths',
    'cgroupparent',
    'volumesfrom',
  ]) {
    if (isGiven(host.get(name), name)) refuse(name, 'privileged')
  }
  for (const { folder, isReadOnly } of foldersOf(host)) {
    const path = realPath(absoluteFolder(folder, guard), guard.socketPath !== undefined)
    const danger = dangerOf(path, isReadOnly, guard)
    if (danger !== undefined) refuse(`the bind of ${folder}`, danger)
    checkPath(path, 'bind', guard.fileBounds)
  }
}

/** An empty list of masked paths unmasks them all. */
function isGiven(value: unknown, name: string): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0 || name === 'maskedpaths' || name === 'readonlypaths'
}

function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value !== '' && value !== 'false')
}

/** All folders of the machine that the container could see. */
function foldersOf(host: ReadonlyMap<string, unknown>): Bound[] {
  const binds = textsOf(host.get('binds')).flatMap((bind): Bound[] => {
    const folder = bindSource(bind)
    if (folder === undefined) return []
    // Behind the folder of the machine and that of the container.
    const [, , options = ''] = bind.slice(folder.length).split(':')
    return [{ folder, isReadOnly: options.split(',').includes('ro') }]
  })
  const mounts = [host.get('mounts') ?? []].flat().flatMap((mount) => mountFolders(mapOf(mount)))
  return [...binds, ...mounts]
}

/** A folder of the machine that a container sees. */
interface Bound {
  readonly folder: string
  readonly isReadOnly: boolean
}

function mountFolders(given: Readonly<Record<string, unknown>>): Bound[] {
  const mount = byLowerName(given, 'mounts')
  const source = mount.get('source')
  const volume = byLowerName(mapOf(mount.get('volumeoptions')), 'volumeOptions')
  const driver = byLowerName(mapOf(volume.get('driverconfig')), 'driverConfig')
  // A volume can be a bind in disguise: type none, option bind, and the folder as its device.
  const device = mapOf(driver.get('options'))['device']
  const isReadOnly = mount.get('readonly') === true
  const folders = [source, device].filter((path) => typeof path === 'string').filter(isFolder)
  return folders.map((folder) => ({ folder, isReadOnly }))
}

function dangerOf(path: string, isReadOnly: boolean, guard: Guard): Privilege | undefined {
  const isHere = guard.socketPath !== undefined
  const isIn = (folders: readonly string[]): boolean => folders.some((one) => path.startsWith(`${one}/`))
  if (isRoot(path) || refusedFolders.has(path) || isIn(closedFolders) || homeOfRoot.test(path)) return 'root'
  if (!isReadOnly && isIn(systemFolders)) return 'root'
  const known = [...sockets, ...(guard.socketPath === undefined ? [] : [guard.socketPath])]
  const isAbove = known.some((socket) =>
    [socket, realPath(socket, isHere)].some((one) => one === path || one.startsWith(`${path}/`)),
  )
  return isAbove ? 'socket' : undefined
}
