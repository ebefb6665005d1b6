/** What the build says about the page; `manifest.json` in its folder. */
export interface PageManifest {
  readonly build: string
  /** Text of the only page. `{base}` stands for the way from the page to the top: `./`, `../` … */
  readonly index: string
  /** Path of each file, as it is asked for and as it lies in the folder → media type. Beside it lie `.gz` and `.br`. */
  readonly files: Readonly<Record<string, string>>
}
