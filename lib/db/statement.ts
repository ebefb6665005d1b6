import type postgres from 'postgres'
import type { Driver, Send } from './connection.ts'

/** Sends a statement over some connection. */
export type Run = <Result>(send: Send<Result>) => Promise<Result>

type Rows = readonly (object | undefined)[]
type Answer<R extends Rows> = postgres.RowList<R>
type Parameters = postgres.ParameterOrJSON<never>[]

/**
 * Builds SQL statements from values and other SQL fragments. Awaiting a statement sends it; a statement passed as a
 * value of another becomes a fragment of it. Nothing else of the driver is exposed, because it would need a connection
 * of its own.
 */
export interface Sql {
  <R extends Rows = postgres.Row[]>(text: TemplateStringsArray, ...values: readonly unknown[]): Statement<R>
  /** A list of values, or of rows to insert. */
  (values: readonly unknown[]): Piece
  unsafe<R extends Rows = postgres.Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: { readonly prepare?: boolean },
  ): Statement<R>
  /** For Drizzle, which changes how times are parsed. */
  readonly options: Driver['options']
}

/** A piece of SQL; the driver that sends the statement turns it into its own form. */
class Piece {
  readonly on: (driver: Driver) => unknown

  constructor(on: (driver: Driver) => unknown) {
    this.on = on
  }
}

/** Sent once, when it is first awaited. */
class Statement<R extends Rows> extends Piece implements PromiseLike<Answer<R>> {
  declare readonly on: (driver: Driver) => postgres.PendingQuery<R[number][]>
  readonly #run: Run
  #answer: Promise<Answer<R>> | undefined

  constructor(run: Run, on: (driver: Driver) => unknown) {
    super(on)
    this.#run = run
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a statement is awaited
  then<Good = Answer<R>, Bad = never>(
    onGood?: ((answer: Answer<R>) => Good | PromiseLike<Good>) | null,
    onBad?: ((error: unknown) => Bad | PromiseLike<Bad>) | null,
  ): Promise<Good | Bad> {
    this.#answer ??= this.#run(this.on as unknown as Send<Answer<R>>)
    return this.#answer.then(onGood, onBad)
  }

  catch<Bad>(onBad: (error: unknown) => Bad | PromiseLike<Bad>): Promise<Answer<R> | Bad> {
    return this.then(undefined, onBad)
  }

  /** Rows as lists. */
  values(): PromiseLike<unknown[][]> {
    return new Statement(this.#run, (driver) => this.on(driver).values()) as unknown as PromiseLike<
      unknown[][]
    >
  }
}

export function statements(run: Run, options: Driver['options']): Sql {
  const tag = (first: TemplateStringsArray | readonly unknown[], ...values: readonly unknown[]): Piece => {
    if (!('raw' in first)) return new Piece((driver) => driver(first as never))
    return new Statement(run, (driver) =>
      driver(
        first,
        ...(values.map((value) => (value instanceof Piece ? value.on(driver) : value)) as never[]),
      ),
    )
  }
  const unsafe: Sql['unsafe'] = (text, values, given) =>
    new Statement(run, (driver) => driver.unsafe(text, values as Parameters, given))
  return Object.assign(tag, { unsafe, options }) as Sql
}
