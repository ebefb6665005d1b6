/** What the build says about the site of the documents; `docs/manifest.json` in the folder of the page. */
export interface DocsManifest {
  /** Path of each file below `docs/` → media type. Beside each that is not a picture lies a `.gz`. */
  readonly files: Readonly<Record<string, string>>
}
