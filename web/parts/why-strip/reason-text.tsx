import { useMoment } from '../../controls/time/use-moment.ts'

const instant = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

/** A reason of the service, with its times in the zone of the page. */
export function ReasonText({ text }: { readonly text: string }) {
  const moment = useMoment('long')
  return (
    <>
      {text.split(instant).map((part, index) =>
        instant.test(part) ? (
          <time key={index} dateTime={part}>
            {moment(Date.parse(part))}
          </time>
        ) : (
          part
        ),
      )}
    </>
  )
}
