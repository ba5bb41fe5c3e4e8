// Sends spans to a collector by OpenTelemetry's own packages. No global of theirs is set (docs/decisions/0047-traces.md).

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { ActiveSpan, SpanSpec, Traces } from '../domain/traces.ts'
import type { TracesOptions } from './load-traces.ts'

const SERVICE = 'notification-center'
const CORRELATION_ID = 'nc.correlation_id'
const CLOSE_LIMIT_MS = 2000
/** Spans directly below one span: of a batch of 1,000 events, the commits of the first ones. */
const MAX_CHILDREN = 32
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

interface Current {
  context: Context
  correlationId: string | undefined
  children: number
}

/** Creates them. Sampler, limits, headers of the collector and names of the service are the standard variables `OTEL_…`. */
export function createTraces({ url, version, log }: TracesOptions): Traces {
  const exporter = withWarning(new OTLPTraceExporter({ url }), log)
  const processor = new BatchSpanProcessor({ exporter })
  const resource = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const provider = new TracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer(SERVICE, version)
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Current>()

  return {
    run(spec, work) {
      const around = current.getStore()
      if (around !== undefined && ++around.children > MAX_CHILDREN) return work(IGNORED)
      const parent = parentOf(spec, around)
      const correlationId = spec.correlationId ?? around?.correlationId
      const kind = spec.kind === undefined ? SpanKind.INTERNAL : KINDS[spec.kind]
      const own = correlationId === undefined ? {} : { [CORRELATION_ID]: correlationId }
      const span = tracer.startSpan(spec.name, { kind, attributes: { ...spec.attributes, ...own } }, parent)
      const context = trace.setSpan(parent, span)
      return current.run({ context, correlationId, children: 0 }, () => runWithin(span, work))
    },
    outgoingHeaders() {
      const headers: Record<string, string> = {}
      const store = current.getStore()
      if (store !== undefined) propagator.inject(store.context, headers, defaultTextMapSetter)
      return headers
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_LIMIT_MS)
      })
      await Promise.race([provider.shutdown().catch(() => {}), limit])
      clearTimeout(timer)
    },
  }

  function parentOf({ headers }: SpanSpec, around: Current | undefined): Context {
    if (headers === undefined) return around?.context ?? ROOT_CONTEXT
    return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  }
}

const IGNORED: ActiveSpan = { set() {}, fail() {} }

function runWithin<T>(span: Span, work: (span: ActiveSpan) => T): T {
  const active: ActiveSpan = {
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
  // The message of an error may quote what a caller sent.
  const failWith = (error: unknown): never => {
    active.fail(error instanceof Error ? error.name : 'unknown')
    span.end()
    throw error
  }
  let result: T
  try {
    result = work(active)
  } catch (error) {
    return failWith(error)
  }
  if (!(result instanceof Promise)) {
    span.end()
    return result
  }
  const settled = result.then((value: unknown) => {
    span.end()
    return value
  }, failWith)
  return settled as T
}

/** Logs one warning when the collector does not take spans, until it takes some again. They are dropped. */
function withWarning(exporter: SpanExporter, log: TracesOptions['log']): SpanExporter {
  let isAway = false
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS
        if (failed && !isAway) log.warn('traces not sent', { reason: error?.name ?? 'unknown', count: spans.length })
        if (!failed && isAway) log.info('traces sent again')
        isAway = failed
        // A failure would be reported a second time.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
