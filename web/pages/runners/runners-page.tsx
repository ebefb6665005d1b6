import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunnerTable } from './runner-table.tsx'
import { UnservedDags } from './unserved-dags.tsx'

/** The runners: which are alive, which drain, and the DAGs that none accepts. */
export function RunnersPage() {
  const { ask } = useData()
  const reading = useQuery(
    ['runners'],
    () => ask('listWorkers', { query: { unserved: 'true' } }),
    true,
    true,
    { topic: 'workers', query: {}, patch: (answer) => answer },
  )
  return (
    <>
      <PageHead title="Runners" name="Runners" />
      <Loaded reading={reading} what="the runners">
        {({ workers, unservedDags }) => (
          <>
            {workers.length === 0 ? (
              <Notice title="No runner is connected">
                Runs wait until you start one with <code>millrace runner</code>.
              </Notice>
            ) : (
              <RunnerTable runners={workers} />
            )}
            {unservedDags !== undefined && unservedDags.total > 0 && <UnservedDags unserved={unservedDags} />}
          </>
        )}
      </Loaded>
    </>
  )
}
