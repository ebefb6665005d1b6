// The runtime of a Lambda instance: fetches calls from the Runtime API and passes them to the handler, as
// AWS's own client for Node does, response streaming included. `node runtime.mjs`, with _HANDLER and
// AWS_LAMBDA_RUNTIME_API in the environment.
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
const streamed = Symbol('streamed')

globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streamed]: true }),
  HttpResponseStream: {
    from(stream, prelude) {
      stream.emit('prelude')
      stream.write(JSON.stringify(prelude))
      stream.write(Buffer.alloc(8))
      return stream
    },
  },
}

const post = (id, what, body, headers = {}) =>
  fetch(`${api}/${id}/${what}`, { method: 'POST', body, headers, duplex: 'half' }).then((answer) =>
    answer.text(),
  )

async function answerStreamed(handler, event, context) {
  const stream = new PassThrough()
  const type = new Promise((resolve) => {
    stream.once('prelude', () => resolve('application/vnd.awslambda.http-integration-response'))
  })
  const done = handler(event, stream, context)
  const headers = { 'content-type': await type, 'lambda-runtime-function-response-mode': 'streaming' }
  await post(context.awsRequestId, 'response', stream, headers)
  await done
}

const handlerPath = process.env['_HANDLER']
const dot = handlerPath.lastIndexOf('.')
const { [handlerPath.slice(dot + 1)]: handler } = await import(
  pathToFileURL(`${handlerPath.slice(0, dot)}.mjs`)
)
for (;;) {
  const next = await fetch(`${api}/next`)
  const event = await next.json()
  const awsRequestId = next.headers.get('lambda-runtime-aws-request-id')
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'))
  const context = { awsRequestId, getRemainingTimeInMillis: () => deadline - Date.now() }
  try {
    if (handler[streamed]) await answerStreamed(handler, event, context)
    else await post(awsRequestId, 'response', JSON.stringify((await handler(event, context)) ?? null))
  } catch (error) {
    await post(awsRequestId, 'error', JSON.stringify({ errorType: error.name, errorMessage: error.message }))
  }
}
