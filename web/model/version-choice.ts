/** Two versions of a DAG that are compared; `from` is undefined where there is nothing before. */
export interface VersionChoice {
  readonly from: number | undefined
  readonly to: number
}

const versionOf = (text: string | undefined): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined

/**
 * The versions that an address names. Without `to` it is the newest, without `from` the one before `to`.
 * @param versions newest first
 */
export function readVersionChoice(
  address: Readonly<Record<string, string | undefined>>,
  versions: readonly number[],
): VersionChoice {
  const to = versionOf(address['to']) ?? versions[0] ?? 1
  if (address['from'] === 'nothing') return { from: undefined, to }
  return { from: versionOf(address['from']) ?? before(to, versions), to }
}

/** The newest version that is kept before another. @param versions newest first */
export const before = (version: number, versions: readonly number[]): number | undefined =>
  versions.find((one) => one < version)

/** The query of a choice. */
export const choiceQuery = ({ from, to }: VersionChoice): { readonly from: string; readonly to: string } => ({
  from: from === undefined ? 'nothing' : String(from),
  to: String(to),
})
