import { foreignFunctions } from '#lib/privileges/foreign-functions.ts'

/** What to start, with file descriptors that are open in this process. */
interface Spawn {
  readonly file: string
  readonly argv: readonly string[]
  readonly workingDir: string
  readonly env: Readonly<Record<string, string>>
  readonly stdout: number
  readonly stderr: number
}

/** Calls of the C library. */
export interface SystemCalls {
  /** A pipe whose ends are not inherited; undefined when too many files are open. */
  readonly pipe: () => { readonly read: number; readonly write: number } | undefined
  readonly close: (...files: readonly number[]) => void
  /** The pid; undefined when the process cannot be started. No text may contain a NUL. */
  readonly spawn: (start: Spawn) => number | undefined
  /** The status of a child that has ended, which reaps it; undefined while it runs. */
  readonly statusOf: (pid: number) => number | undefined
  /** Ends this process at once, without waiting for its threads. */
  readonly exit: (code: number) => void
  /** Has this process killed when the one that started it ends, whatever this one is waiting for. */
  readonly dieWithParent: () => void
}

const int = 'int32'
const pointer = 'pointer'

const signatures = {
  pipe2: { arguments: [pointer, int], return: int },
  close: { arguments: [int], return: int },
  quick_exit: { arguments: [int], return: 'void' },
  prctl: { arguments: [int, 'uint64', 'uint64', 'uint64', 'uint64'], return: int },
  waitpid: { arguments: [int, pointer, int], return: int },
  posix_spawn: { arguments: [pointer, pointer, pointer, pointer, pointer, pointer], return: int },
  posix_spawn_file_actions_init: { arguments: [pointer], return: int },
  posix_spawn_file_actions_destroy: { arguments: [pointer], return: int },
  posix_spawn_file_actions_adddup2: { arguments: [pointer, int, int], return: int },
  posix_spawn_file_actions_addopen: { arguments: [pointer, int, pointer, int, 'uint32'], return: int },
  posix_spawn_file_actions_addchdir_np: { arguments: [pointer, pointer], return: int },
  posix_spawnattr_init: { arguments: [pointer], return: int },
  posix_spawnattr_setflags: { arguments: [pointer, 'int16'], return: int },
  posix_spawnattr_setsigdefault: { arguments: [pointer, pointer], return: int },
  posix_spawnattr_setsigmask: { arguments: [pointer, pointer], return: int },
} as const

/** Constants of Linux, the same for glibc and musl. */
const closeOnExec = 0o2000000
const noWait = 1
const setDeathSignal = 1
const killSignal = 9n
const setSignals = 0x04 | 0x08
const ownSession = 0x80
/** Large enough for every structure of spawn.h (at most 336 bytes), and for a signal set. */
const structBytes = 512
const signalSetBytes = 128

/** Undefined where Node has no foreign function interface. */
export function loadSystemCalls(): SystemCalls | undefined {
  try {
    const library = foreignFunctions()
    return library && systemCalls(library)
  } catch {
    return undefined
  }
}

function systemCalls({
  dlopen,
  getRawPointer,
}: NonNullable<ReturnType<typeof foreignFunctions>>): SystemCalls {
  const c = dlopen(null, signatures).functions
  const attributes = Buffer.alloc(structBytes)
  c.posix_spawnattr_init(attributes)
  // As after a fork by Node: no signal is blocked or ignored.
  c.posix_spawnattr_setsigdefault(attributes, Buffer.alloc(signalSetBytes, 0xff))
  c.posix_spawnattr_setsigmask(attributes, Buffer.alloc(signalSetBytes))
  c.posix_spawnattr_setflags(attributes, setSignals | ownSession)
  const noInput = text('/dev/null')
  const pair = Buffer.alloc(8)
  const number = Buffer.alloc(4)

  /** A C array of strings. Its pointers refer to `texts`, which must live as long. */
  const vector = (words: readonly string[]): { list: BigUint64Array; texts: Buffer } => {
    const texts = text(words.join('\0'))
    const list = new BigUint64Array(words.length + 1)
    const start = getRawPointer(texts)
    let offset = 0
    for (const [index, word] of words.entries()) {
      list[index] = start + BigInt(offset)
      offset += Buffer.byteLength(word) + 1
    }
    return { list, texts }
  }

  return {
    pipe: () => {
      if (c.pipe2(pair, closeOnExec) !== 0) return undefined
      return { read: pair.readInt32LE(0), write: pair.readInt32LE(4) }
    },
    close: (...files) => {
      for (const file of files) c.close(file)
    },
    spawn: ({ file, argv, workingDir, env, stdout, stderr }) => {
      const actions = Buffer.alloc(structBytes)
      c.posix_spawn_file_actions_init(actions)
      try {
        const prepared = [
          c.posix_spawn_file_actions_addopen(actions, 0, noInput, 0, 0),
          c.posix_spawn_file_actions_adddup2(actions, stdout, 1),
          c.posix_spawn_file_actions_adddup2(actions, stderr, 2),
          c.posix_spawn_file_actions_addchdir_np(actions, text(workingDir)),
        ]
        if (prepared.some((failure) => failure !== 0)) return undefined
        const words = vector(argv)
        const variables = vector(Object.entries(env).map(([name, value]) => `${name}=${value}`))
        const failure = c.posix_spawn(number, text(file), actions, attributes, words.list, variables.list)
        // Read after the call, so that memory that the call points to is not collected before.
        const isAlive = words.texts.length + variables.texts.length > 0
        return failure === 0 && isAlive ? number.readInt32LE(0) : undefined
      } finally {
        c.posix_spawn_file_actions_destroy(actions)
      }
    },
    exit: (code) => c.quick_exit(code),
    dieWithParent: () => void c.prctl(setDeathSignal, killSignal, 0n, 0n, 0n),
    statusOf: (pid) => (c.waitpid(pid, number, noWait) === pid ? number.readInt32LE(0) : undefined),
  }
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}
