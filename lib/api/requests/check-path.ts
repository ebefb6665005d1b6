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
    const next = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    if (next === text) return
    if (decodings === decodingsMax) throw odd(path)
    text = next
  }
}

function odd(path: string): ServiceError {
  const shown = JSON.stringify(path.slice(0, 200))
  return badRequest(`the path ${shown} has a "." or ".." segment, an encoded slash, a backslash or NUL`)
}
