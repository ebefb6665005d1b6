/** The used part of jq-web, which has no types. */
declare module 'jq-web' {
  interface Jq {
    /** @throws Error with `exitCode` and `stderr` */
    raw(json: string, filter: string, flags: string[]): string | undefined
  }
  const jq: Promise<Jq>
  export default jq
}

/** Node's types leave these to the browser's. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}
