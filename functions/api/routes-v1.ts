import type { Route } from '#lib/api/define-route.ts'
import { getHealth } from './system/get-health.ts'
import { actOnLegacyDag } from './v1/act-on-legacy-dag.ts'
import { createLegacyDag } from './v1/create-legacy-dag.ts'
import { deleteLegacyDag } from './v1/delete-legacy-dag.ts'
import { getLegacyDag } from './v1/get-legacy-dag.ts'
import { listLegacyDags } from './v1/list-legacy-dags.ts'
import { listLegacyTags } from './v1/list-legacy-tags.ts'
import { searchLegacyDags } from './v1/search-legacy-dags.ts'

/** The deprecated version 1, for old clients. Not in the OpenAPI document. */
export const routesV1: readonly Route[] = [
  getHealth,
  listLegacyDags,
  createLegacyDag,
  getLegacyDag,
  actOnLegacyDag,
  deleteLegacyDag,
  searchLegacyDags,
  listLegacyTags,
]
