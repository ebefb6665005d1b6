import type { Route } from '#lib/api/define-route.ts'
import { listApiKeys } from './api-keys/list-api-keys.ts'
import { createApiKey } from './api-keys/create-api-key.ts'
import { revokeApiKey } from './api-keys/revoke-api-key.ts'
import { listAuditEntries } from './audit/list-audit-entries.ts'
import { downloadChildRunLog } from './child-runs/download-child-run-log.ts'
import { downloadChildStepLog } from './child-runs/download-child-step-log.ts'
import { searchChildRunLog } from './child-runs/search-child-run-log.ts'
import { searchChildStepLog } from './child-runs/search-child-step-log.ts'
import { followChildRunLog } from './child-runs/follow-child-run-log.ts'
import { followChildStepLog } from './child-runs/follow-child-step-log.ts'
import { followChildRun } from './child-runs/follow-child-run.ts'
import { getChildRunLog } from './child-runs/get-child-run-log.ts'
import { getChildRun } from './child-runs/get-child-run.ts'
import { getChildRunOutline } from './child-runs/get-child-run-outline.ts'
import { getChildStep } from './child-runs/get-child-step.ts'
import { getMergedChildLog } from './child-runs/get-merged-child-log.ts'
import { getChildStepLog } from './child-runs/get-child-step-log.ts'
import { listChildRuns } from './child-runs/list-child-runs.ts'
import { updateChildStepStatus } from './child-runs/update-child-step-status.ts'
import { batchDagRuns } from './dag-runs/batch-dag-runs.ts'
import { downloadDagRunLog } from './dag-runs/download-dag-run-log.ts'
import { searchDagRunLog } from './dag-runs/search-dag-run-log.ts'
import { downloadStepLog } from './dag-runs/download-step-log.ts'
import { searchStepLog } from './dag-runs/search-step-log.ts'
import { dequeueDagRun } from './dag-runs/dequeue-dag-run.ts'
import { enqueueInlineRun } from './dag-runs/enqueue-inline-run.ts'
import { explainDagRun } from './dag-runs/explain-dag-run.ts'
import { getDagRunLog } from './dag-runs/get-dag-run-log.ts'
import { getMergedLog } from './dag-runs/get-merged-log.ts'
import { getDagRunOutputs } from './dag-runs/get-dag-run-outputs.ts'
import { getDagRunSpec } from './dag-runs/get-dag-run-spec.ts'
import { followDagRunLog } from './dag-runs/follow-dag-run-log.ts'
import { followDagRun } from './dag-runs/follow-dag-run.ts'
import { followStepLog } from './dag-runs/follow-step-log.ts'
import { getDagRun } from './dag-runs/get-dag-run.ts'
import { getRunOutline } from './dag-runs/get-run-outline.ts'
import { getStep } from './dag-runs/get-step.ts'
import { getStepLog } from './dag-runs/get-step-log.ts'
import { getRunHistogram } from './dag-runs/get-run-histogram.ts'
import { listDagRunsByName } from './dag-runs/list-dag-runs-by-name.ts'
import { listDagRuns } from './dag-runs/list-dag-runs.ts'
import { retryDagRun } from './dag-runs/retry-dag-run.ts'
import { rescheduleDagRun } from './dag-runs/reschedule-dag-run.ts'
import { startInlineRun } from './dag-runs/start-inline-run.ts'
import { stopDagRun } from './dag-runs/stop-dag-run.ts'
import { updateStepStatus } from './dag-runs/update-step-status.ts'
import { batchDags } from './dags/batch-dags.ts'
import { countDags } from './dags/count-dags.ts'
import { createDag } from './dags/create-dag.ts'
import { deleteDag } from './dags/delete-dag.ts'
import { enqueueDag } from './dags/enqueue-dag.ts'
import { getDagRunOfDag } from './dags/get-dag-run-of-dag.ts'
import { getDagSpec } from './dags/get-dag-spec.ts'
import { getDagStats } from './dags/get-dag-stats.ts'
import { getDag } from './dags/get-dag.ts'
import { listDagHistory } from './dags/list-dag-history.ts'
import { listDagStates } from './dags/list-dag-states.ts'
import { listDags } from './dags/list-dags.ts'
import { listDagVersions } from './dags/list-dag-versions.ts'
import { getDagVersion } from './dags/get-dag-version.ts'
import { restoreDagVersion } from './dags/restore-dag-version.ts'
import { listTags } from './dags/list-tags.ts'
import { renameDag } from './dags/rename-dag.ts'
import { searchDags } from './dags/search-dags.ts'
import { startDag } from './dags/start-dag.ts'
import { stopAllDagRuns } from './dags/stop-all-dag-runs.ts'
import { suspendDag } from './dags/suspend-dag.ts'
import { updateDagSpec } from './dags/update-dag-spec.ts'
import { validateDag } from './dags/validate-dag.ts'
import { followService } from './events/follow-service.ts'
import { controlQueue } from './queues/control-queue.ts'
import { getQueue } from './queues/get-queue.ts'
import { listQueueItems } from './queues/list-queue-items.ts'
import { listQueues } from './queues/list-queues.ts'
import { searchNames } from './search/search-names.ts'
import { getSchedule } from './schedule/get-schedule.ts'
import { previewSchedule } from './schedule/preview-schedule.ts'
import { createSession } from './session/create-session.ts'
import { deleteSession } from './session/delete-session.ts'
import { getPreferences } from './session/get-preferences.ts'
import { getSession } from './session/get-session.ts'
import { updatePreferences } from './session/update-preferences.ts'
import { listCoordinators } from './services/list-coordinators.ts'
import { getResourceHistory } from './services/get-resource-history.ts'
import { listSchedulers } from './services/list-schedulers.ts'
import { getHealth } from './system/get-health.ts'
import { getOverview } from './system/get-overview.ts'
import { getMetrics } from './system/get-metrics.ts'
import { getSystem } from './system/get-system.ts'
import { listSettings } from './system/list-settings.ts'
import { listNodes } from './system/list-nodes.ts'
import { getDagSchema } from './system/get-dag-schema.ts'
import { getOpenApi } from './system/get-open-api.ts'
import { createUser } from './users/create-user.ts'
import { deleteUser } from './users/delete-user.ts'
import { endUserSessions } from './users/end-user-sessions.ts'
import { listUsers } from './users/list-users.ts'
import { updateUser } from './users/update-user.ts'
import { tickNow } from './system/tick-now.ts'
import { drainWorker } from './workers/drain-worker.ts'
import { listWorkers } from './workers/list-workers.ts'
import { resumeWorker } from './workers/resume-worker.ts'

/** All endpoints. The first matching path wins, so fixed segments come before parameters. */
export const routes: readonly Route[] = [
  getHealth,
  getMetrics,
  getOverview,
  getDagSchema,
  getOpenApi,
  tickNow,
  getSystem,
  listSettings,
  listNodes,
  getSession,
  createSession,
  deleteSession,
  getPreferences,
  updatePreferences,
  searchNames,
  listDags,
  createDag,
  validateDag,
  batchDags,
  searchDags,
  listTags,
  countDags,
  getDag,
  deleteDag,
  getDagSpec,
  updateDagSpec,
  listDagVersions,
  getDagVersion,
  restoreDagVersion,
  renameDag,
  startDag,
  enqueueDag,
  suspendDag,
  stopAllDagRuns,
  listDagHistory,
  getDagStats,
  getDagRunOfDag,
  listDagStates,
  listDagRuns,
  startInlineRun,
  enqueueInlineRun,
  batchDagRuns,
  getRunHistogram,
  listDagRunsByName,
  getDagRun,
  getRunOutline,
  stopDagRun,
  retryDagRun,
  rescheduleDagRun,
  dequeueDagRun,
  getDagRunLog,
  downloadDagRunLog,
  searchDagRunLog,
  getMergedLog,
  getStep,
  getStepLog,
  downloadStepLog,
  searchStepLog,
  followDagRun,
  followDagRunLog,
  followStepLog,
  updateStepStatus,
  getDagRunSpec,
  getDagRunOutputs,
  explainDagRun,
  listChildRuns,
  getChildRun,
  getChildRunOutline,
  followChildRun,
  getChildRunLog,
  downloadChildRunLog,
  searchChildRunLog,
  getMergedChildLog,
  followChildRunLog,
  getChildStep,
  getChildStepLog,
  downloadChildStepLog,
  searchChildStepLog,
  followChildStepLog,
  updateChildStepStatus,
  followService,
  getSchedule,
  previewSchedule,
  listQueues,
  getQueue,
  controlQueue,
  listQueueItems,
  listWorkers,
  drainWorker,
  resumeWorker,
  listSchedulers,
  listCoordinators,
  getResourceHistory,
  listUsers,
  createUser,
  updateUser,
  deleteUser,
  endUserSessions,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listAuditEntries,
]
