// Declares traces: spans of work, which an operator may have sent to a collector (docs/operations.md#traces).

/** No value that a caller chooses freely: ids of ours, names of routes, kinds and counts. */
export type SpanAttributes = Record<string, string | number>

export interface SpanSpec {
  /** Of few different values. */
  name: string
  /** Default: work inside of the process. */
  kind?: 'server' | 'client'
  attributes?: SpanAttributes
  /** Of the request or the event. Default: that of the span around it. */
  correlationId?: string
  /** Headers of a request, whose `traceparent` names the parent where it is valid. Default: the span around it. */
  headers?: Record<string, string | string[] | undefined>
}

export interface ActiveSpan {
  set(attributes: SpanAttributes): void
  /** Marks the span as failed. `type`: a code or the name of an error, never its message. */
  fail(type: string): void
}

export interface Traces {
  /** Runs the work within a span, which ends with it. A span of work that throws has failed. */
  run<T>(spec: SpanSpec, work: (span: ActiveSpan) => T): T
  /** @returns The headers by which a called service continues the trace of the current span. */
  outgoingHeaders(): Record<string, string>
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

const UNTRACED: ActiveSpan = { set() {}, fail() {} }

/** Runs the work, within a span where traces are configured. @param describe Is called only then. */
export function traced<T>(traces: Traces | undefined, describe: () => SpanSpec, work: (span: ActiveSpan) => T): T {
  return traces === undefined ? work(UNTRACED) : traces.run(describe(), work)
}
