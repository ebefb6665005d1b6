import { readShape } from '../reading/shape.ts'
import { fields } from '../schema/words.ts'
import { lenient, type ConfigPosition } from './record.ts'

const NoConfig = fields('the config of a step that runs a command or a DAG: it has none', {})

/** For executors whose steps need no config. */
export function readNoConfig({ at }: ConfigPosition): object {
  return readShape(NoConfig, at, lenient).value ?? {}
}
