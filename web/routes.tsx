import lazy from 'preact-iso/lazy'
import { useEffect } from 'preact/hooks'
import { Route, Router, useLocation } from 'preact-iso/router'
import { useData } from './data/page-data.ts'
import { orLater } from './parts/late-page/late-page.tsx'

const DagsPage = lazy(() =>
  orLater(() => import('./pages/dags/dags-page.tsx').then((module) => module.DagsPage)),
)
const DagPage = lazy(() => orLater(() => import('./pages/dag/dag-page.tsx').then((module) => module.DagPage)))
const RunsPage = lazy(() =>
  orLater(() => import('./pages/runs/runs-page.tsx').then((module) => module.RunsPage)),
)
const RunPage = lazy(() => orLater(() => import('./pages/run/run-page.tsx').then((module) => module.RunPage)))
const QueuesPage = lazy(() =>
  orLater(() => import('./pages/queues/queues-page.tsx').then((module) => module.QueuesPage)),
)
const QueuePage = lazy(() =>
  orLater(() => import('./pages/queues/queue-page.tsx').then((module) => module.QueuePage)),
)
const RunnersPage = lazy(() =>
  orLater(() => import('./pages/runners/runners-page.tsx').then((module) => module.RunnersPage)),
)
const LogPage = lazy(() => orLater(() => import('./pages/log/log-page.tsx').then((module) => module.LogPage)))
const SchedulePage = lazy(() =>
  orLater(() => import('./pages/schedule/schedule-page.tsx').then((module) => module.SchedulePage)),
)
const OverviewPage = lazy(() =>
  orLater(() => import('./pages/overview/overview-page.tsx').then((module) => module.OverviewPage)),
)
const ReferencePage = lazy(() =>
  orLater(() => import('./pages/reference/reference-page.tsx').then((module) => module.ReferencePage)),
)
const SearchPage = lazy(() =>
  orLater(() => import('./pages/search/search-page.tsx').then((module) => module.SearchPage)),
)
const ComparePage = lazy(() =>
  orLater(() => import('./pages/compare/compare-page.tsx').then((module) => module.ComparePage)),
)
const AdminPage = lazy(() =>
  orLater(() => import('./pages/admin/admin-page.tsx').then((module) => module.AdminPage)),
)
const SettingsPage = lazy(() =>
  orLater(() => import('./pages/settings/settings-page.tsx').then((module) => module.SettingsPage)),
)
const LoginPage = lazy(() =>
  orLater(() => import('./pages/login/login-page.tsx').then((module) => module.LoginPage)),
)
const NewDagPage = lazy(() =>
  orLater(() => import('./pages/new-dag/new-dag-page.tsx').then((module) => module.NewDagPage)),
)
const ImportPage = lazy(() =>
  orLater(() => import('./pages/import/import-page.tsx').then((module) => module.ImportPage)),
)
const ExpiredDialog = lazy(() =>
  import('./parts/sign-in/expired-dialog.tsx').then((module) => module.ExpiredDialog),
)
const MissingPage = lazy(() =>
  orLater(() => import('./pages/missing/missing-page.tsx').then((module) => module.MissingPage)),
)

/** The DAGs, or at the root, the start page that this browser has chosen. */
function LandingPage() {
  const { links, preferences } = useData()
  const { path, route } = useLocation()
  const isElsewhere = path === links.base && preferences.landing.value === 'Runs'
  useEffect(() => {
    if (isElsewhere) route(links.runs, true)
  }, [])
  return isElsewhere ? null : <DagsPage />
}

/** Every page by its path. Paths of one page share a key, so that the page stays mounted when the URL changes. */
const routes = [
  { key: 'dags', path: '', component: LandingPage },
  { key: 'dags', path: 'dags', component: LandingPage },
  { key: 'dag', path: 'dags/:fileName', component: DagPage },
  { key: 'dag', path: 'dags/:fileName/:view', component: DagPage },
  { key: 'runs', path: 'runs', component: RunsPage },
  { key: 'run', path: 'runs/:name/:runId', component: RunPage },
  { key: 'run', path: 'runs/:name/:runId/child/:childId', component: RunPage },
  { key: 'log', path: 'runs/:name/:runId/log', component: LogPage },
  { key: 'search', path: 'search', component: SearchPage },
  { key: 'compare', path: 'compare', component: ComparePage },
  { key: 'queues', path: 'queues', component: QueuesPage },
  { key: 'queue', path: 'queues/:name', component: QueuePage },
  { key: 'runners', path: 'runners', component: RunnersPage },
  { key: 'schedule', path: 'schedule', component: SchedulePage },
  { key: 'overview', path: 'overview', component: OverviewPage },
  { key: 'reference', path: 'reference', component: ReferencePage },
  { key: 'admin', path: 'admin', component: AdminPage },
  { key: 'admin', path: 'admin/:view', component: AdminPage },
  { key: 'settings', path: 'settings', component: SettingsPage },
  { key: 'new-dag', path: 'new', component: NewDagPage },
  { key: 'import', path: 'import', component: ImportPage },
  { key: 'log', path: 'runs/:name/:runId/child/:childId/log', component: LogPage },
  { key: 'login', path: 'login', component: LoginPage },
] as const

/** The page of the URL, or the sign-in page if the service requires a credential. */
export function Pages() {
  const { links, session } = useData()
  const mustSignIn = session.mustSignIn.value
  if (mustSignIn && !session.who.value.isSignedIn) return <LoginPage />
  return (
    <>
      <Router>
        {routes.map(({ key, path, component }) => (
          <Route key={key} path={links.base + path} component={component} />
        ))}
        <Route default component={MissingPage} />
      </Router>
      {mustSignIn && <ExpiredDialog />}
    </>
  )
}
