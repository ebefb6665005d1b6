import { badRequest, type ServiceError } from '#lib/core/errors.ts'

/** More than any client encodes; a path that is still encoded after that is refused. */
const decodingsMax = 4

/** Step names may hold slashes and backslashes; nothing else in a path may. */
const stepName = /(?<=\/steps\/)[^/]*/
const hiddenSeparator = /%(?:25)*(?:2f|5c)|\\/i

/**
 * Refuses paths that mean another path to whoever decodes them once more: `.` and `..` as segments, slashes,
 * backslashes and NUL, encoded once or more often.
 * @param path of a request, not decoded, without the query
 * @throws ServiceError `bad_request`
 */
export function checkPath(path: string): void {
  if (!/[%\\]|\/\./.test(path)) return
  if (hiddenSeparator.test(path.replace(stepName, ''))) throw odd(path)
  let text = path
  for (let decodings = 0; ; decodings++) {
    if (text.includes('\0') || text.split(/[/\\]/).some((part) => part === '.' || part === '..'))
      throw odd(path)
    const next = decoded(text, path, decodings)
    if (next === text) return
    if (decodings === decodingsMax) throw odd(path)
    text = next
  }
}

/** Malformed escapes are refused in the path as it came; later ones are characters of a name, such as `100%`. */
function decoded(text: string, path: string, decodings: number): string {
  try {
    return decodeURIComponent(text)
  } catch {
    if (decodings > 0) return text
    throw odd(path)
  }
}

function odd(path: string): ServiceError {
  const shown = JSON.stringify(path.slice(0, 200))
  const what = 'a "." or ".." segment, an encoded slash, a backslash, NUL or a malformed escape'
  return badRequest(`the path ${shown} has ${what}`)
}
