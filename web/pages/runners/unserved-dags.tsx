import { DataCell, DataTable } from '../../controls/data-table/data-table.tsx'
import { useData } from '../../data/page-data.ts'
import { LabelList } from './label-list.tsx'
import type { Unserved } from './runner-answer.ts'

const columns = [{ name: 'DAG' }, { name: 'Needs a runner with' }]

/** DAGs whose runs would wait, since no runner has their labels. */
export function UnservedDags({ unserved: { dags, total } }: { readonly unserved: Unserved }) {
  const { links } = useData()
  return (
    <section class="unserved-dags" aria-labelledby="unserved-dags">
      <h2 id="unserved-dags">DAGs that no runner accepts: {total}</h2>
      <p class="quiet">No live runner that claims runs has their labels, so their runs wait.</p>
      <DataTable name="DAGs that no runner accepts" columns={columns}>
        {dags.map(({ fileName, labels }) => (
          <tr key={fileName}>
            <DataCell>
              <a class="unserved-dags-name" href={links.dag(fileName)}>
                {fileName}
              </a>
            </DataCell>
            <DataCell>
              <LabelList labels={labels} />
            </DataCell>
          </tr>
        ))}
      </DataTable>
      {total > dags.length && <p class="quiet">and {total - dags.length} more</p>}
    </section>
  )
}
