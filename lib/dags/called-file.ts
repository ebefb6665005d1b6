/** The file that a `call` names: `etl`, `etl.yaml` and `./etl.yml` are the same, since DAGs are in one place. */
export function calledFile(call: string): string {
  return call.replace(/^\.\//, '').replace(/\.ya?ml$/, '')
}
