import { withDag } from './find-dag.ts'
import type { Output } from './output.ts'
import type { Service } from './service.ts'

/** Suspends or resumes schedules, one DAG after the other, and reports each. */
export async function setSchedules(
  service: Service,
  { dags, suspended }: { readonly dags: readonly string[]; readonly suspended: boolean },
  output: Output,
): Promise<void> {
  for (const dag of dags) {
    await withDag(service, dag, (fileName) =>
      service.ask('suspendDag', { params: { fileName }, body: { suspend: suspended } }),
    )
    output.show({ dag, suspended }, `${dag} is ${suspended ? 'suspended' : 'resumed'}`)
  }
}
