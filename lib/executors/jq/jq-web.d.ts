/** What is used of jq-web, which brings no types. */
declare module 'jq-web' {
  interface Jq {
    /** @throws Error with `exitCode` and `stderr` */
    raw(json: string, filter: string, flags: string[]): string | undefined
  }
  const jq: Promise<Jq>
  export default jq
}

/** The types of Node leave these to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}
