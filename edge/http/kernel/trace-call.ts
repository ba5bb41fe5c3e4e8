// Traces one request: its span has the pattern of the route, because the path may contain a user's id.

import type { ActiveSpan, Traces } from '../../domain/traces.ts'
import type { JsonAnswer } from './answer.ts'
import { headerOf, type RequestContext } from './context.ts'

/** The headers that name a parent. */
const PARENT = ['traceparent', 'tracestate'] as const

/** Runs the call within the span of its request. Attributes are those of OpenTelemetry's semantic conventions. */
export function traceCall<T extends JsonAnswer | Response>(
  traces: Traces,
  { method, path }: { method: string; path: string },
  { c, correlationId }: { c: RequestContext; correlationId: string },
  work: () => Promise<T>,
): Promise<T> {
  const verb = method.toUpperCase()
  return traces.run(
    {
      name: `${verb} ${path}`,
      kind: 'server',
      attributes: { 'http.request.method': verb, 'http.route': path },
      correlationId,
      headers: Object.fromEntries(PARENT.map((name) => [name, headerOf(c, name)])),
    },
    async (span) => withStatus(span, await work()),
  )
}

function withStatus<T extends JsonAnswer | Response>(span: ActiveSpan, answer: T): T {
  span.set({ 'http.response.status_code': answer.status })
  if (answer.status >= 500) span.fail(String(answer.status))
  return answer
}
