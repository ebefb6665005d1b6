import type { ExecutorType } from '#lib/definition/definition.ts'
import type { Executor } from './executor.ts'

/** Executor types that run on this machine; `dag` steps are runs of their own (see dag/run.ts). */
export type LocalExecutorType = Exclude<ExecutorType, 'dag'>

/**
 * One entry per type, whose record is in lib/definition/executor-config. It is loaded when its first step is about to
 * run: a runner with only shell steps stays small, and a small process forks faster.
 */
const loaders: Readonly<Record<LocalExecutorType, () => Promise<Executor>>> = {
  shell: async () => (await import('./shell/run.ts')).shellExecutor,
  docker: async () => (await import('./docker/run.ts')).dockerExecutor,
  ssh: async () => (await import('./ssh/run.ts')).sshExecutor,
  http: async () => (await import('./http/run.ts')).httpExecutor,
  mail: async () => (await import('./mail/run.ts')).mailExecutor,
  jq: async () => (await import('./jq/run.ts')).jqExecutor,
}

const loaded = new Map<LocalExecutorType, Promise<Executor>>()

/** Loads the executor of a type, once. */
export function executorFor(type: LocalExecutorType): Promise<Executor> {
  let executor = loaded.get(type)
  if (executor === undefined) {
    executor = loaders[type]()
    loaded.set(type, executor)
  }
  return executor
}
