import type { Operations } from '#lib/client/api-types.gen.ts'
import { DataTable } from '../../controls/data-table/data-table.tsx'
import { Button } from '../../controls/button/button.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { HeartbeatTables } from './heartbeat-tables.tsx'
import { LevelSign } from './level-sign.tsx'
import { ProcessTable } from './process-table.tsx'

type System = Operations['getSystem']['responses'][200]

/** Findings, processes and their versions. */
export function SystemView() {
  const { ask, now } = useData()
  const reading = useQuery(['admin', 'system'], () => ask('getSystem'))
  return (
    <Loaded reading={reading} what="the system" rows={12}>
      {(system) => (
        <div class="admin-system">
          <div class="admin-tools">
            <Button onPress={reading.again}>Check again</Button>
            <span class="quiet">
              Millrace {system.version} answers, started <Ago at={instantOf(system.startedAt)} now={now} />
            </span>
          </div>
          <Findings findings={system.findings} />
          <ProcessTable processes={system.processes} version={system.version} />
          <HeartbeatTables />
          <Migrations migrations={system.migrations} />
          <Limits limits={system.limits} />
        </div>
      )}
    </Loaded>
  )
}

function Findings({ findings }: Pick<System, 'findings'>) {
  return (
    <section aria-label="Findings">
      <h2>Findings</h2>
      <DataTable name="Findings" columns={[{ name: 'Check' }, { name: 'Result' }, { name: 'Found' }]}>
        {findings.map(({ check, level, text, advice }) => (
          <tr key={check}>
            <th scope="row">{check}</th>
            <td>
              <LevelSign level={level} />
            </td>
            <td class="admin-table-long">
              {text}
              {advice !== undefined && <div class="admin-table-about quiet">{advice}</div>}
            </td>
          </tr>
        ))}
      </DataTable>
      <p class="admin-about quiet">
        <code>millrace doctor</code> also checks the machine of a runner: its container engine, its shell, and
        what steps can see.
      </p>
    </section>
  )
}

function Migrations({ migrations }: Pick<System, 'migrations'>) {
  const { now } = useData()
  const { applied, pending, changed, newer } = migrations
  const lists = [
    ['pending', pending],
    ['changed', changed],
    ['of a newer program', newer],
  ] as const
  return (
    <section class="admin-section" aria-label="Migrations">
      <h2>Migrations</h2>
      <details>
        <summary>
          {applied.length} applied, {pending.length} pending
        </summary>
        <ul class="admin-list">
          {lists.flatMap(([word, names]) =>
            names.map((name) => (
              <li key={word + name}>
                <b>{word}:</b> <code>{name}</code>
              </li>
            )),
          )}
          {applied.toReversed().map(({ name, at }) => (
            <li key={name}>
              <code>{name}</code>{' '}
              <span class="quiet">
                <Ago at={instantOf(at)} now={now} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function Limits({ limits }: Pick<System, 'limits'>) {
  const all = Object.entries(limits)
  return (
    <section class="admin-section" aria-label="Limits">
      <h2>Limits</h2>
      <details>
        <summary>{all.length} limits; bytes and milliseconds, unless the name says otherwise</summary>
        <dl class="admin-limits">
          {all.map(([name, value]) => (
            <div key={name}>
              <dt class="code">{name}</dt>
              <dd>{value.toLocaleString('en')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
