import { useMemo } from 'preact/hooks'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import type { SpecSchema } from '../../model/spec-schema.ts'
import type { Completing } from '../spec-editor/complete-source.ts'

/** DAGs that are offered where one is called. */
const dagsMax = 200

/** What the editor knows for completion: the format of DAG files, and the existing DAGs. */
export function useCompleting(): Completing {
  const { ask } = useData()
  const schema = useQuery(['dag-schema'], () => ask('getDagSchema')).data as SpecSchema | undefined
  const list = useQuery(['dags', 'names'], () => ask('listDags', { query: { perPage: dagsMax } })).data
  const dags = useMemo(() => (list?.dags ?? []).map(({ fileName }) => fileName), [list])
  return { schema, dags }
}
