/** Present only in browsers with trusted types. */
interface ScriptPolicies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string }
}

/**
 * Names the scripts of workers, which are next to those of the page. The content security policy allows no others.
 * @returns the URL for the name of a worker, as `Worker` takes it
 */
export function createWorkerUrl(): (name: 'layout') => string {
  const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes
  const ownScript = (url: string): string => {
    if (new URL(url).origin !== location.origin) throw new TypeError(`${url} is not of this origin`)
    return url
  }
  const policy = policies?.createPolicy('millrace', { createScriptURL: ownScript })
  return (name) => {
    const { href } = new URL(`./${name}.worker.js`, import.meta.url)
    return policy?.createScriptURL(href) ?? ownScript(href)
  }
}
