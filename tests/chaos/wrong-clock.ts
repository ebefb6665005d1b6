/** Loaded with `--import`: makes the clock of JavaScript wrong by MILLRACE_CHAOS_CLOCK_MS milliseconds. */
const offset = Number(process.env['MILLRACE_CHAOS_CLOCK_MS'])
const Right = Date

class WrongDate extends Right {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(Right.now() + offset)
    else super(...(given as [number]))
  }

  static override now(): number {
    return Right.now() + offset
  }
}

globalThis.Date = WrongDate as DateConstructor
