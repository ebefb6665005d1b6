#!/usr/bin/env node
// The command of the npm package. Separate from the bundle of local/millrace.ts, which an old Node cannot parse.
import { isNodeToGoOn } from './newer-node.mjs'

if (isNodeToGoOn('npm brings a newer one, unless optional dependencies are left out'))
  void import(new URL('index.mjs', import.meta.url).href)
