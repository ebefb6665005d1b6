/**
 * The page of the docs, and its section, that explains a problem of a DAG file; undefined where none does.
 * @param message as the service says it, such as `step "a": retryPolicy.limit must be a whole number`
 */
export function problemHelp(message: string): string | undefined {
  if (message.startsWith('not YAML')) return undefined
  if (message.includes(' refers to $')) return 'values.html#sources'
  if (message.startsWith('there is no DAG ')) return 'executors.html#dag'
  if (message.startsWith('no setting defines the queue ')) return 'dag-file.html#dag-queue'
  const ofStep = /^step "(?:[^"\\]|\\.)*":? /.exec(message)?.[0]
  const text = message.slice(ofStep?.length ?? 0)
  const type = /\bof the config of an? (\w+) step/.exec(text)?.[1]
  if (type !== undefined) return `executors.html#${type}`
  const section = ofStep === undefined ? 'dag' : 'step'
  const field = /^([a-z]\w*)(?=[.[: ])/i.exec(text)?.[1]
  if (/" is not a field of /.test(text) || field === undefined || field === 'needs') {
    return `dag-file.html#${section}`
  }
  return `dag-file.html#${section}-${field.toLowerCase()}`
}
