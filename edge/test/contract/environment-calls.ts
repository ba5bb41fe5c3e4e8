// Calls each route of an environment's enrichers and texts, whose answers are checked by the caller.

type Call = (operation: string, params?: Record<string, string>, options?: { body?: unknown }) => Promise<unknown>

export async function callEnricher(call: Call): Promise<void> {
  const name = 'profile'
  // Not reachable, so that the trial answers an error.
  await call('PUT /v1/enrichers/{name}', { name }, { body: { url: 'https://127.0.0.1:9/', timeoutMs: 1000 } })
  await call('GET /v1/enrichers')
  await call('GET /v1/enrichers/{name}', { name })
  await call('POST /v1/enrichers/{name}/test', { name }, { body: {} })
  await call('DELETE /v1/enrichers/{name}', { name })
}

export async function callTexts(call: Call): Promise<void> {
  const [locale, name] = ['de', 'footer']
  await call('PUT /v1/translations/{locale}', { locale }, { body: { order: { shipped: '{n, number} unterwegs' } } })
  await call('GET /v1/translations')
  await call('GET /v1/translations/{locale}', { locale })
  await call('PUT /v1/snippets/{name}', { name }, { body: { source: "{{ 'order.shipped' | t: n: 2 }}" } })
  await call('GET /v1/snippets')
  await call('GET /v1/snippets/{name}', { name })
  await call('DELETE /v1/snippets/{name}', { name })
  await call('DELETE /v1/translations/{locale}', { locale })
}
