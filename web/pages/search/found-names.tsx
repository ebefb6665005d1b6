import type { ComponentChildren } from 'preact'
import type { Answer } from '#lib/client/client.ts'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { dagState, runState } from '../../model/states.ts'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'

type Found = Extract<Answer<'searchNames'>, { status: 200 }>['body']

interface Props {
  readonly found: Found
  readonly foundMax: number
}

export function FoundNames({ found: { dags, runs, steps }, foundMax }: Props) {
  const { links, now } = useData()
  return (
    <>
      <Results name="DAGs" count={dags.length} foundMax={foundMax}>
        {dags.map(({ fileName, name, group, state }) => (
          <li key={fileName} class="search-page-result">
            <a href={links.dag(fileName)}>{fileName}</a>
            <span class="search-page-about">
              {[...(name === fileName ? [] : [name]), ...(group === '' ? [] : [group])].join(' · ')}
            </span>
            <StateSign state={dagState(state)} />
          </li>
        ))}
      </Results>
      <Results name="Steps" count={steps.length} foundMax={foundMax}>
        {steps.map(({ fileName, step, line }) => (
          <li key={`${fileName} ${step}`} class="search-page-result">
            <a href={links.specAt(fileName, line)}>{step}</a>
            <span class="search-page-about">
              {fileName}
              {line !== undefined && `, line ${line}`}
            </span>
          </li>
        ))}
      </Results>
      <Results name="Runs" count={runs.length} foundMax={foundMax}>
        {runs.map(({ name, dagRunId, status, startedAtMs }) => (
          <li key={`${name} ${dagRunId}`} class="search-page-result">
            <a class="code" href={links.run(name, dagRunId)}>
              {dagRunId}
            </a>
            <span class="search-page-about">
              {name} <Ago at={startedAtMs} now={now} />
            </span>
            <StateSign state={runState(status)} />
          </li>
        ))}
      </Results>
    </>
  )
}

interface ResultsProps {
  readonly name: string
  readonly count: number
  readonly foundMax: number
  readonly children: ComponentChildren
}

function Results({ name, count, foundMax, children }: ResultsProps) {
  return (
    <section class="search-page-part" aria-label={name}>
      <h2>
        {name}{' '}
        <span class="quiet">{count < foundMax ? count : `the first ${count}: type more to narrow them`}</span>
      </h2>
      {count > 0 && <ul>{children}</ul>}
    </section>
  )
}
