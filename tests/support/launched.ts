/** A script for tests of the launcher: prints how it was started, and ends as its first argument says. */
const [how = '', ...rest] = process.argv.slice(2)
if (how === 'count signals') {
  let count = 0
  process.on('SIGTERM', () => {
    count += 1
    setTimeout(() => process.exit(40 + count), 200)
  })
}
console.log(
  JSON.stringify({ rest, pid: process.pid, version: process.versions.node, script: process.argv[1] }),
)
if (how.startsWith('exit ')) process.exit(Number(how.slice(5)))
if (how !== '') setInterval(() => {}, 1_000_000)
