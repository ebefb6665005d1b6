import { useMemo, useState } from 'preact/hooks'
import { TabList } from '../../controls/tab-list/tab-list.tsx'
import type { PlanAnswer } from '../../data/dag-answer.ts'
import { fieldUnder } from '../../model/complete-spec.ts'
import { scheduleLines } from '../../model/schedule-lines.ts'
import { fieldsOf, type SpecSchema } from '../../model/spec-schema.ts'
import { SchedulePreview } from '../schedule-preview/schedule-preview.tsx'
import { LazyCompare } from '../spec-editor/lazy-editor.tsx'
import { DeskGraph } from './desk-graph.tsx'
import { DeskPlan } from './desk-plan.tsx'
import { FieldDocs } from './field-docs.tsx'
import type { Findings } from './use-findings.ts'
import { useSettled } from './use-settled.ts'

const tabs = ['Graph', 'Plan', 'Field', 'Changes'] as const
export type DeskTab = (typeof tabs)[number]

export interface Cursor {
  readonly offset: number
  /** Counted from 1. */
  readonly line: number
}

interface Props {
  readonly open: DeskTab
  readonly onOpen: (tab: DeskTab) => void
  readonly text: string
  /** The text before the changes. */
  readonly before: string
  readonly name: string
  /** Empty: it is not stored yet. */
  readonly fileName: string
  readonly cursor: Cursor
  readonly schema: SpecSchema | undefined
  readonly findings: Findings | undefined
  readonly onLine: (line: number) => void
}

const settledMs = 250

/** The tabs next to the editor. */
export function DeskTabs({
  open,
  onOpen,
  text,
  before,
  name,
  fileName,
  cursor,
  schema,
  findings,
  onLine,
}: Props) {
  const steps = useReadSteps(findings)
  const current = steps.findLast(
    ({ firstLine, lastLine }) => firstLine <= cursor.line && cursor.line <= lastLine,
  )?.name
  const onStep = (step: string): void => {
    const found = steps.find((one) => one.name === step)
    if (found !== undefined) onLine(found.firstLine)
  }
  return (
    <TabList name="Beside the text" tabs={tabs} open={open} onOpen={onOpen}>
      {open === 'Graph' && <DeskGraph steps={steps} current={current} onStep={onStep} />}
      {open === 'Plan' && <DeskPlan findings={findings} name={name} current={current} onStep={onStep} />}
      {open === 'Field' && <Field text={text} cursor={cursor} schema={schema} />}
      {open === 'Changes' && <Changes fileName={fileName} before={before} after={text} findings={findings} />}
    </TabList>
  )
}

const none: PlanAnswer['steps'] = []

/** The steps of the text; while it is not valid YAML, the last known ones. */
function useReadSteps(findings: Findings | undefined): PlanAnswer['steps'] {
  const [last, setLast] = useState(none)
  const now = findings?.answer.steps ?? none
  const isUnread = now.length === 0 && findings?.answer.valid !== true
  if (!isUnread && now !== last) setLast(now)
  return isUnread ? last : now
}

function Field({ text, cursor, schema }: Pick<Props, 'text' | 'cursor' | 'schema'>) {
  const field = useMemo(
    () => (schema === undefined ? undefined : fieldUnder(text, cursor.offset, schema)),
    [text, cursor.offset, schema],
  )
  const inner =
    field === undefined || schema === undefined
      ? []
      : fieldsOf(schema, field.alternatives).filter(({ isDeprecated }) => !isDeprecated)
  return <FieldDocs field={field} inner={inner} />
}

interface ChangesProps extends Pick<Props, 'fileName' | 'before' | 'findings'> {
  readonly after: string
}

/** How the text differs from the stored one, and how the start times change. */
function Changes({ fileName, before, after, findings }: ChangesProps) {
  const settled = useSettled(after, settledMs)
  if (settled === before) return <p class="desk-note">Nothing has changed.</p>
  return (
    <>
      {fileName !== '' && <OtherTimes fileName={fileName} before={before} findings={findings} />}
      <LazyCompare name="Changes" before={before} after={settled} />
    </>
  )
}

/** The changes of the start times, requested once for each valid schedule. */
function OtherTimes({ fileName, before, findings }: Pick<Props, 'fileName' | 'before' | 'findings'>) {
  const sound = findings?.answer.valid === true ? findings.text : before
  const lines = scheduleLines(sound)
  const spec = useMemo(() => sound, [lines])
  if (lines === scheduleLines(before)) return null
  return (
    <div class="desk-times">
      <h2 class="desk-plan-head">Times</h2>
      <SchedulePreview fileName={fileName} spec={spec} />
    </div>
  )
}
