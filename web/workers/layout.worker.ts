import { layOut, type LayoutAnswer, type LayoutOrder } from '../model/layered-layout.ts'

addEventListener('message', ({ data }: MessageEvent<LayoutOrder>) => {
  const answer: LayoutAnswer = { id: data.id, ...layOut(data.count, data.edges) }
  postMessage(answer)
})
