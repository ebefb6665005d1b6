import type { InferOutput } from 'valibot'
import type { Position } from './position.ts'
import type { Dag } from '#lib/definition/schema/dag.ts'

export type RawDag = InferOutput<typeof Dag>

/** A layer of settings: the DAG as written, or the base configuration. */
export interface Layer {
  readonly raw: RawDag
  readonly position: Position
}

export interface Given<T> {
  readonly value: T
  readonly position: Position
}

type Fields<T> = T extends object ? (T extends readonly unknown[] ? never : T) : never

/** A DAG over the base configuration: decides, field by field, which of the two counts. */
export class Layers {
  /** Base configuration first. */
  readonly #layers: readonly Layer[]

  constructor(own: Layer, base: Layer | undefined) {
    this.#layers = base === undefined ? [own] : [base, own]
  }

  /** The value of the DAG, otherwise that of the base. */
  one<K extends keyof RawDag>(field: K): Given<NonNullable<RawDag[K]>> | undefined {
    return this.all(field).at(-1)
  }

  value<K extends keyof RawDag>(field: K): NonNullable<RawDag[K]> | undefined {
    return this.one(field)?.value
  }

  /** The values of both, base first. */
  all<K extends keyof RawDag>(field: K): Given<NonNullable<RawDag[K]>>[] {
    return this.#layers.flatMap(({ raw, position }) => {
      const value = raw[field]
      return value === undefined || value === null ? [] : [{ value, position: position.at(field) }]
    })
  }

  /** The fields of a map; those of the DAG override those of the base. */
  fields<K extends keyof RawDag>(field: K): Partial<Fields<NonNullable<RawDag[K]>>> {
    const maps = this.all(field).filter(({ value }) => typeof value === 'object')
    return Object.assign({}, ...maps.map(({ value }) => value)) as Partial<Fields<NonNullable<RawDag[K]>>>
  }
}
