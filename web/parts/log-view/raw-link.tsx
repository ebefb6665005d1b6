import { useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { ReadLines } from './log-pages.ts'

const linesPerRead = 10_000
/** Characters that a page holds for a file; longer logs are for the command line. */
const charactersMax = 64 * 1_048_576

interface Props {
  readonly read: ReadLines
  readonly fileName: string
}

/** The whole log as a file. */
export function RawLink({ read, fileName }: Props) {
  const { said } = useData()
  const [isReading, setReading] = useState(false)
  async function save(): Promise<void> {
    if (isReading) return
    setReading(true)
    try {
      const text = await readWhole(read)
      const place = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
      const link = document.createElement('a')
      link.href = place
      link.download = fileName
      link.click()
      setTimeout(() => URL.revokeObjectURL(place), 60_000)
      said.value = 'the log was read'
    } catch {
      said.value = 'the log could not be read'
    }
    setReading(false)
  }
  return (
    <a
      class="raw-link"
      href="#raw"
      aria-busy={isReading}
      onClick={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      Raw
    </a>
  )
}

async function readWhole(read: ReadLines): Promise<string> {
  let text = ''
  for (let offset = 1; ; offset += linesPerRead) {
    const { content, totalLines } = await read(offset, linesPerRead)
    text += content
    if (offset + linesPerRead > totalLines) return text
    if (text.length > charactersMax) return `${text}\n[cut: the rest is longer than the page holds]\n`
  }
}
