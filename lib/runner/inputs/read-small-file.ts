import { constants, createReadStream } from 'node:fs'
import { openAsStepUser } from '#lib/privileges/step-identity.ts'

const bytesMax = 1_048_576

/**
 * Reads a text file that a DAG names, by the rights of a step.
 * @throws Error when it is larger than 1 MiB (a device may never end)
 */
export async function readSmallFile(path: string): Promise<string> {
  const pieces: Buffer[] = []
  const fd = openAsStepUser(path, constants.O_RDONLY)
  for await (const piece of createReadStream(path, { fd, start: 0, end: bytesMax }))
    pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  if (bytes.length > bytesMax) throw new Error(`${path} is larger than ${bytesMax} bytes`)
  return bytes.toString('utf8')
}
