import { useEffect, useState } from 'preact/hooks'
import type { Reading } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { readSpecText, saveSpecText, type StoredText } from '../../data/spec-calls.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { SpecDesk } from '../../parts/spec-desk/spec-desk.tsx'

/** The editor for the text of a DAG. */
export function DagSpec({ fileName }: { readonly fileName: string }) {
  const data = useData()
  const refusal = useWriteRefusal()
  return (
    <Loaded reading={useSpecText(fileName)} what={`the text of ${fileName}`}>
      {({ readOnly, ...stored }) => (
        <SpecDesk
          key={fileName}
          fileName={fileName}
          stored={stored}
          refusal={readOnly ?? (refusal && `Read-only: ${refusal}`)}
          save={(written) => saveSpecText(data, fileName, written)}
          onSaved={() => void data.cache.invalidateQueries({ queryKey: ['dag', fileName] })}
        />
      )}
    </Loaded>
  )
}

/** Loaded once, so that the text does not change during editing. */
function useSpecText(fileName: string): Reading<StoredText & { readonly readOnly: string | undefined }> {
  const caller = useData()
  const [tries, setTries] = useState(0)
  const [data, setData] = useState<Awaited<ReturnType<typeof readSpecText>>>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let isGone = false
    setData(undefined)
    setError(undefined)
    readSpecText(caller, fileName).then(
      (read) => isGone || setData(read),
      (thrown: Error) => isGone || setError(thrown),
    )
    return () => void (isGone = true)
  }, [fileName, tries])
  return { data, error, atMs: 0, again: () => setTries(tries + 1) }
}
