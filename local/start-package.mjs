#!/usr/bin/env node
// The command of the npm package, beside the bundle of local/millrace.ts, which an old Node cannot read.
import { isNewEnough, refuse, refuseWindows, tooOld } from './needs-node.mjs'

refuseWindows()
if (!isNewEnough) refuse(tooOld)
void import(new URL('index.mjs', import.meta.url).href)
