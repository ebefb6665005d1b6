import { render } from 'preact'
import { createPageData, DataContext } from './data/page-data.ts'
import { applyTheme, readTheme } from './data/theme.ts'
import { Shell } from './parts/shell/shell.tsx'
import { Pages } from './routes.tsx'

/** The page is two folders above its scripts, whatever prefix a proxy adds. */
async function start(): Promise<void> {
  applyTheme(readTheme())
  const data = createPageData(new URL('../../', import.meta.url))
  const root = document.getElementById('page')
  if (root === null) throw new Error('the page has no root element')
  await data.session.read().catch(() => undefined)
  render(
    <DataContext.Provider value={data}>
      <Shell>
        <Pages />
      </Shell>
    </DataContext.Provider>,
    root,
  )
}

await start()
