/** Holds the embedded PostgreSQL of the given folder until SIGTERM, and prints its properties as one line of JSON. */
import { startPostgres } from '#local/postgres/start-postgres.ts'

const postgres = await startPostgres({ folder: process.argv[2] ?? '', durable: true })
console.log(JSON.stringify({ url: postgres.url, pid: postgres.pid, adopted: postgres.adopted }))
const stay = setInterval(() => {}, 1_000_000)
process.once('SIGTERM', () => {
  clearInterval(stay)
  void postgres.close()
})
