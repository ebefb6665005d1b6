import { expect, test } from 'vitest'
import { scheduleText } from '#web/model/schedule-text.ts'

test.each([
  [[], ''],
  [['0 4 * * *'], '0 4 * * *'],
  [['CRON_TZ=Asia/Tokyo 0 4 * * *'], '0 4 * * * Asia/Tokyo'],
  [['CRON_TZ=UTC 0 4 * * *', 'CRON_TZ=UTC 0 9 * * *', '@daily'], '0 4 * * *, 0 9 * * * UTC, @daily'],
])('%j is shown as %j', (expressions, text) => {
  expect(scheduleText(expressions.map((expression) => ({ expression })))).toBe(text)
})
