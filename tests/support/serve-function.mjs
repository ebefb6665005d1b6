// A platform for plain Node functions: `node serve-function.mjs BUNDLE` calls the handler for every request.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const { handler } = await import(pathToFileURL(process.argv[2] ?? ''))
const server = createServer(handler).listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`)
})
