import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Answer } from '#lib/client/client.ts'
import { Notice } from '../../controls/notice/notice.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { dagChoice, writeDagView, type DagView } from '../../model/dag-view.ts'
import { withQuery } from '../../model/links.ts'
import {
  cellAt,
  cellState,
  cellStep,
  columnsIn,
  mosaicPaths,
  mosaicText,
  type MosaicDag,
} from '../../model/mosaic.ts'
import { stateWord } from '../../model/states.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

type States = Extract<Answer<'listDagStates'>, { status: 200 }>['body']

/** Polling interval without a stream. */
const readMs = 3_000
/** Maximum number of failed DAGs linked below their mosaic. */
const failedShown = 12

/** Every DAG as one cell, by group: an overview for a wall screen. */
export function DagMosaic({ view }: { readonly view: DagView }) {
  const { ask } = useData()
  const asked = dagChoice(view)
  const reading = useQuery(
    ['dags', 'states', asked],
    () => ask('listDagStates', { query: asked }),
    readMs,
    true,
    { topic: 'states', query: asked, patch: (states: States, news) => withCell(states, news as NewCell) },
  )
  return (
    <Loaded reading={reading} what="the DAGs">
      {({ groups, total }: States) => {
        if (total === 0) return <Notice title="No DAG matches the filter" />
        const shown = groups.reduce((sum, { dags }) => sum + dags.length, 0)
        return (
          <div class="dag-mosaic">
            {groups.map((group) => (
              <Group key={group.name} group={group} view={view} isOnly={groups.length === 1} />
            ))}
            {shown < total && (
              <p class="quiet">
                The first {shown.toLocaleString('en')} of {total.toLocaleString('en')} DAGs
              </p>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

interface GroupProps {
  readonly group: States['groups'][number]
  readonly view: DagView
  /** A single group without a name needs none. */
  readonly isOnly: boolean
}

function Group({ group: { name, dags }, view, isOnly }: GroupProps) {
  const { links } = useData()
  const shown = name === '' ? (isOnly ? 'All DAGs' : 'No group') : name
  const ofGroup = { ...view, isGrid: false, page: 1, text: `group:${name}` }
  const failed = dags.filter((dag) => cellState(dag) === 'failed')
  return (
    <section class="dag-mosaic-group" aria-label={shown}>
      <h2 class="dag-mosaic-name">
        {name === '' ? shown : <a href={withQuery(links.dags, writeDagView(ofGroup))}>{name}</a>}
      </h2>
      <p class="dag-mosaic-counts quiet">{mosaicText(dags)}</p>
      <Cells dags={dags} name={shown} />
      {failed.length > 0 && (
        <ul class="dag-mosaic-failed" aria-label={`Failed of ${shown}`}>
          {failed.slice(0, failedShown).map(({ fileName }) => (
            <li key={fileName}>
              <a href={links.dag(fileName)}>{fileName}</a>
            </li>
          ))}
          {failed.length > failedShown && (
            <li class="quiet">and {(failed.length - failedShown).toLocaleString('en')} more</li>
          )}
        </ul>
      )}
    </section>
  )
}

/** Draws thousands of cells as a few paths. A press leads to the DAG; the title names the one under the pointer. */
function Cells({ dags, name }: { readonly dags: readonly MosaicDag[]; readonly name: string }) {
  const { links } = useData()
  const { route } = useLocation()
  const area = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(60)
  const [under, setUnder] = useState<MosaicDag>()
  useEffect(() => {
    const box = area.current
    if (box === null) return undefined
    const observer = new ResizeObserver(() => setColumns(columnsIn(box.clientWidth)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const at = (event: MouseEvent): MosaicDag | undefined => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect()
    return cellAt(dags, columns, event.clientX - left, event.clientY - top)
  }
  const [width, height] = [columns * cellStep, Math.ceil(dags.length / columns) * cellStep]
  return (
    <div
      ref={area}
      class="dag-mosaic-area"
      role="presentation"
      title={under === undefined ? '' : titleOf(under)}
      onPointerMove={(event) => setUnder(at(event))}
      onPointerLeave={() => setUnder(undefined)}
      onPointerUp={(event) => {
        const dag = event.button === 0 ? at(event) : undefined
        if (dag !== undefined) route(links.dag(dag.fileName))
      }}
    >
      <svg
        class="dag-mosaic-cells"
        role="img"
        aria-label={`Mosaic of ${name}: ${mosaicText(dags)}`}
        width={width}
        height={height}
      >
        {mosaicPaths(dags, columns).map(({ state, path, marks }) => (
          <g key={state} class={`dag-mosaic-${state}`}>
            <path class="dag-mosaic-fill" d={path} />
            <path class="dag-mosaic-mark" d={marks} />
          </g>
        ))}
      </svg>
    </div>
  )
}

type NewCell = MosaicDag & { readonly group: string }

/** The states updated for one DAG; all groups but its own keep their identity. */
function withCell(states: States, { group, ...cell }: NewCell): States {
  const groups = states.groups.map((one) =>
    one.name === group
      ? { ...one, dags: one.dags.map((dag) => (dag.fileName === cell.fileName ? cell : dag)) }
      : one,
  )
  return { ...states, groups } as States
}

const titleOf = (dag: MosaicDag): string =>
  `${dag.fileName}: ${stateWord(cellState(dag))}${dag.suspended === true ? ', suspended' : ''}`
