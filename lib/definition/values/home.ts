/** A `~` stands for the home directory at the start of a text, alone or before a slash. `~user` is not offered. */
const mark = /^~(?![^/])/

/** For texts that are expanded: the mark becomes a reference, and stays as written where nothing is known of a home. */
export function referToHome(text: string): string {
  return text.replace(mark, '${HOME:-~}')
}

/** For paths whose values are in position. */
export function inHome(path: string, home: string): string {
  return path.replace(mark, () => home)
}
