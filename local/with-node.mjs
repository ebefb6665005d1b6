// Runs a script with this Node, or with the one in node_modules when this one is too old.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNodeToGoOn } from './newer-node.mjs'

if (isNodeToGoOn('npm ci brings a newer one, but it is missing')) {
  process.argv.splice(1, 2, resolve(process.argv[2] ?? ''))
  await import(pathToFileURL(process.argv[1]))
}
