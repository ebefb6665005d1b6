/** A DAG that may be imported, or why it cannot be. */
export interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  /** Of a crontab. */
  readonly schedule?: string
}

const ending = /\.ya?ml$/i

/** The DAGs in files: each YAML file under its name without the folder. */
export const isDagFile = (path: string): boolean => ending.test(path)
export const nameOfFile = (path: string): string => (path.split('/').at(-1) ?? '').replace(ending, '')

interface ReadFile {
  readonly path: string
  readonly spec?: string
  readonly fault?: string
}

/** Two files with one name are an error in both, because it is unclear which one is meant. */
export function candidatesOf(files: readonly ReadFile[]): Candidate[] {
  const named = files.filter(({ path }) => isDagFile(path))
  const ofName = Map.groupBy(named, ({ path }) => nameOfFile(path))
  return named.map(({ path, ...read }) => {
    const name = nameOfFile(path)
    const others = (ofName.get(name) ?? []).filter((other) => other.path !== path)
    return others.length === 0
      ? { name, ...read }
      : { name, fault: `${path} and ${others.map((other) => other.path).join(', ')} have the same name` }
  })
}
