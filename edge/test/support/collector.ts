// Runs a collector of traces: takes OTLP over HTTP as JSON, as the collector of OpenTelemetry does.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  /** 1 internal, 2 server, 3 client. */
  kind: number
  attributes: Record<string, string | number>
  hasFailed: boolean
}

export interface Collector {
  url: string
  /** Bodies as they were received. */
  texts: string[]
  spans(): CollectedSpan[]
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}

interface Received {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[]; status?: { code?: number } })[]
    }[]
  }[]
}

export async function startCollector(): Promise<Collector> {
  const texts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
      if (isTraces) texts.push(Buffer.concat(chunks).toString())
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    spans: () => texts.flatMap((text) => spansOf(JSON.parse(text) as Received)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function spansOf({ resourceSpans }: Received): CollectedSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  return spans.map(({ name, traceId, spanId, parentSpanId, kind, attributes, status }) => ({
    ...{ name, traceId, spanId, kind },
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
    ),
    hasFailed: status?.code === 2,
  }))
}
