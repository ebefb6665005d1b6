import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalExpression, parseCron } from '#lib/definition/schedules/parse-cron.ts'

const accepted = [
  ['0 2 * * *', '0 2 * * *', '0 2 * * *'],
  ['  */5   *  * * * ', '*/5 * * * *', '*/5 * * * *'],
  ['0 9-17/2 1,15 JAN-mar Mon,fri', '0 9-17/2 1,15 JAN-mar Mon,fri', '0 9-17/2 1,15 1-3 1,5'],
  ['5/15 * ? * ?', '5/15 * ? * ?', '5-59/15 * * * *'],
  ['0-59 0-23 1-31 1-12 0-6', '0-59 0-23 1-31 1-12 0-6', '* * 1-31 * 0-6'],
  ['*/1 */99 * * 7', '*/1 */99 * * 7', '* 0 * * 7'],
  ['00 05 * * sat-sun', '00 05 * * sat-sun', '0 5 * * 6-7'],
  ['0 0 * * fri-0', '0 0 * * fri-0', '0 0 * * 5-7'],
  ['1,*,3 0 * * *', '1,*,3 0 * * *', '* 0 * * *'],
]

const refused = [
  ['* * *', 'expected exactly 5 fields, found 3: "* * *"'],
  ['', 'expected exactly 5 fields, found 0: ""'],
  ['0 0 0 * * *', 'expected exactly 5 fields, found 6 (seconds are not offered): "0 0 0 * * *"'],
  ['CRON_TZ=UTC', 'expected exactly 5 fields, found 0: "CRON_TZ=UTC"'],
  ['CRON_TZ=Mars/Base 0 6 * * *', 'unknown time zone "Mars/Base", use a name such as Europe/Berlin'],
  ['CRON_TZ= 0 6 * * *', 'unknown time zone "", use a name such as Europe/Berlin'],
  ['@daily', '@daily is not offered, write "0 0 * * *"'],
  ['CRON_TZ=UTC @Hourly', '@Hourly is not offered, write "0 * * * *"'],
  ['@every 5m', '@every is not offered, write a step, such as "*/5 * * * *" for every five minutes'],
  ['@reboot', '@reboot is not offered, write five fields: minute hour day month weekday'],
  ['60 * * * *', 'minute: "60" is not a number from 0 to 59'],
  ['* 24 * * *', 'hour: "24" is not a number from 0 to 23'],
  ['* * 0 * *', 'day of month: "0" is not a number from 1 to 31'],
  ['* * * 13 *', 'month: "13" is not a number from 1 to 12 or a name such as feb'],
  ['* * * * 8', 'day of week: "8" is not a number from 0 to 7 or a name such as mon'],
  ['* * * foo *', 'month: "foo" is not a number from 1 to 12 or a name such as feb'],
  ['5-1 * * * *', 'minute: "5-1" begins after its end'],
  ['1-2-3 * * * *', 'minute: "1-2-3" is not a range'],
  ['1- * * * *', 'minute: "" is not a number from 0 to 59'],
  ['*/0 * * * *', 'minute: "*/0" needs a whole number from 1 on behind the slash'],
  ['*/x * * * *', 'minute: "*/x" needs a whole number from 1 on behind the slash'],
  ['*/2/2 * * * *', 'minute: "*/2/2" has more than one step'],
  ['1,,2 * * * *', 'minute: an empty entry'],
  ['0 0 L * *', 'day of month: "L" is not a number from 1 to 31'],
  ['0 0 1W * *', 'day of month: "1W" is not a number from 1 to 31'],
  ['0 0 * * 1#2', 'day of week: "1#2" is not a number from 0 to 7 or a name such as mon'],
  ['-1 * * * *', 'minute: "" is not a number from 0 to 59'],
  ['x'.repeat(513), 'a schedule has at most 512 characters'],
]

describe('parseCron', () => {
  it.each(accepted)('reads %j', (text, expression, canonical) => {
    expect(parseCron(text)).toEqual({ entry: { expression, zone: undefined } })
    expect(canonicalExpression(expression)).toBe(canonical)
  })

  it.each([
    ['CRON_TZ=Asia/Tokyo 0 6 * * *', 'Asia/Tokyo'],
    ['TZ=UTC 0 6 * * *', 'UTC'],
    ['CRON_TZ=Etc/GMT+3  0 6 * * *', 'Etc/GMT+3'],
  ])('reads the zone of %j', (text, zone) => {
    expect(parseCron(text)).toEqual({ entry: { expression: '0 6 * * *', zone } })
  })

  it.each(refused)('refuses %j', (text, fault) => {
    expect(parseCron(text)).toEqual({ fault })
  })

  it('never throws, and what it accepts has a canonical form', () => {
    const word = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789*/-,?@LW#monjan= ')),
      maxLength: 30,
    })
    fc.assert(
      fc.property(word, (text) => {
        const reading = parseCron(text)
        if ('entry' in reading) expect(canonicalExpression(reading.entry.expression)).toBeDefined()
        else expect(reading.fault).not.toBe('')
      }),
      { numRuns: 2_000 },
    )
    expect(canonicalExpression('not cron')).toBeUndefined()
  })
})
