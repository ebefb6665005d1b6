/**
 * Returns the section of a version in a changelog.
 * @throws Error with the reason why the version cannot be released
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const [unreleased = '', ...released] = sections
  if (!unreleased.startsWith('Unreleased')) throw new Error('the first section must be Unreleased')
  if (/^\s*[-*] /m.test(unreleased))
    throw new Error(`lines under Unreleased: move them to the section of ${version}`)
  const [first = ''] = released
  const heading = first.split('\n', 1)[0] ?? ''
  if (!new RegExp(String.raw`^${RegExp.escape(version)} - \d{4}-\d\d-\d\d$`).test(heading))
    throw new Error(
      `the newest section must be "${version} - YEAR-MONTH-DAY", it is ${JSON.stringify(heading)}`,
    )
  const notes = first.slice(heading.length).trim()
  if (notes === '') throw new Error(`the section of ${version} is empty`)
  return `${notes}\n`
}
