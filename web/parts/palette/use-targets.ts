import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../data/cache.ts'
import { useData, type PageData } from '../../data/page-data.ts'
import { keepTheme, themes } from '../../data/theme.ts'
import { matching, type Target } from '../../model/palette-targets.ts'
import { runState, stateWord } from '../../model/states.ts'

/** Milliseconds after the last key until the service is asked. */
const pauseMs = 120
const foundMax = 8

export function useTargets(
  text: string,
  onHelp: () => void,
): { readonly targets: readonly Target[]; readonly isSearching: boolean } {
  const data = useData()
  const { ask, links } = data
  const asked = useLate(text.trim())
  const names = useQuery(['palette', asked], () =>
    ask('searchNames', { query: { limit: foundMax, ...(asked !== '' && { q: asked }) } }),
  )
  const { dags = [], runs = [], steps = [] } = names.data ?? {}
  const found: Target[] = [
    ...dags.map(({ fileName }) => ({
      key: `dag ${fileName}`,
      name: fileName,
      kind: 'DAG' as const,
      href: links.dag(fileName),
      isFound: true,
    })),
    ...steps.map(({ fileName, step, line }) => ({
      key: `step ${fileName} ${step}`,
      name: `${step} in ${fileName}`,
      kind: 'step' as const,
      href: links.specAt(fileName, line),
      isFound: true,
    })),
    ...runs.map(({ name, dagRunId, status }) => ({
      key: `run ${name} ${dagRunId}`,
      name: `${name} ${dagRunId}, ${stateWord(runState(status))}`,
      kind: 'run' as const,
      href: links.run(name, dagRunId),
      isFound: true,
    })),
  ]
  const isSearching = asked !== text.trim() || names.data === undefined
  const everything: readonly Target[] =
    text.trim() === ''
      ? []
      : [
          {
            key: 'search',
            name: `Search for “${text.trim()}”`,
            kind: 'page',
            href: links.search(text.trim()),
          },
        ]
  // Results for the previous text are filtered until the service has answered.
  const isOld = asked !== text.trim()
  const targets = matching([...ownTargets(data, onHelp), ...found], text, isOld)
  return { targets: [...targets, ...everything], isSearching }
}

function ownTargets({ links, session }: PageData, onHelp: () => void): readonly Target[] {
  const page = (name: string, href: string): Target => ({ key: name, name, kind: 'page', href })
  const action = (name: string, act: () => void): Target => ({ key: name, name, kind: 'action', act })
  const { can, isSignedIn } = session.who.value
  return [
    page('DAGs', links.dags),
    page('Runs', links.runs),
    page('Search', links.search('')),
    page('Queues', links.queues),
    page('Runners', links.runners),
    page('Schedule', links.schedule),
    page('Overview', links.overview),
    ...(can.admin ? adminPages(links).map(([name, href]) => page(name, href)) : []),
    page('Settings of this browser', links.settings),
    page('API reference', links.reference),
    ...(can.write ? [page('New DAG', links.newDag), page('Import DAGs', links.importDags)] : []),
    action('Keys', onHelp),
    ...themes.map((theme) => action(`Theme ${theme}`, () => keepTheme(theme))),
    ...(isSignedIn ? [action('Sign out', () => void session.signOut())] : []),
  ]
}

const adminPages = (links: PageData['links']): [string, string][] => [
  ['Users', links.admin()],
  ['API keys', links.admin('keys')],
  ['Audit', links.admin('audit')],
  ['System', links.admin('system')],
  ['Settings of the service', links.admin('settings')],
  ['Remote nodes', links.admin('nodes')],
]

/** A text, debounced. */
function useLate(text: string): string {
  const [late, setLate] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return late
}
