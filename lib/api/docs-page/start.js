/* In the browser: shows the document of this service. A token is kept in memory only. */
const login = document.querySelector('#login')
const field = document.querySelector('#token')

async function show(token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch('v2/openapi.json', { headers })
  login.hidden = answer.status !== 401
  if (!answer.ok) return
  globalThis.SwaggerUIBundle({
    spec: await answer.json(),
    dom_id: '#page',
    deepLinking: true,
    validatorUrl: null,
    requestInterceptor: (request) => ({ ...request, headers: { ...headers, ...request.headers } }),
  })
}

login.addEventListener('submit', (event) => {
  event.preventDefault()
  void show(field.value)
})
void show()
