import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { useData } from '../../data/page-data.ts'
import { useAdminRefusal } from '../../data/refusal.ts'
import { AuditView } from './audit-view.tsx'
import { KeysView } from './keys-view.tsx'
import { NodesView } from './nodes-view.tsx'
import { SettingsView } from './settings-view.tsx'
import { SystemView } from './system-view.tsx'
import { UsersView } from './users-view.tsx'

const views = [
  { path: undefined, name: 'Users', View: UsersView },
  { path: 'keys', name: 'Keys', View: KeysView },
  { path: 'audit', name: 'Audit', View: AuditView },
  { path: 'system', name: 'System', View: SystemView },
  { path: 'settings', name: 'Settings', View: SettingsView },
  { path: 'nodes', name: 'Nodes', View: NodesView },
] as const

/** The pages for admins: users, keys, the audit log, and the state of the service. */
export function AdminPage({ view }: { readonly view?: string }) {
  const { links } = useData()
  const refusal = useAdminRefusal()
  const { name, View } = views.find(({ path }) => path === view) ?? views[0]
  return (
    <>
      <PageHead crumb="Admin" title={name} name={`${name} – Admin`} />
      <TabLinks
        name="Admin"
        tabs={views.map(({ path, name: tab }) => ({
          name: tab,
          href: links.admin(path),
          isHere: tab === name,
        }))}
      />
      {refusal === undefined ? (
        <div class="admin-page">
          <View />
        </div>
      ) : (
        <Notice title="This page is for admins">It {refusal}.</Notice>
      )}
    </>
  )
}
