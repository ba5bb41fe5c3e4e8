// Counts the metrics for operators, in a separate registry per app.

import { Registry } from 'prom-client'
import type { Channel } from '../../../contract/delivery.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { MessageOutcome } from '../../domain/message-outcome.ts'
import type { StoreWatch } from '../../domain/stores.ts'
import { createCounters } from './counters.ts'
import { createGauges, type ReadSources } from './gauges.ts'
import { addProcessMetrics } from './process-metrics.ts'

/** No label contains an environment, a user or another value that callers choose (docs/decisions/0032-metrics-and-logs.md). */
export interface Metrics extends StoreWatch {
  /** Tracked events were answered 202: written, or repeats of written ones. */
  onAccepted(count: number, outcome: 'new' | 'repeated'): void
  onRefused(code: ErrorCode): void
  /** `area`: the tag of the route. */
  onAnswered(area: string, status: number, tookMs: number): void
  /** An area of the API has routes. Call it for each before the first request. */
  onArea(area: string): void
  /** A user (a widget) or a person (the dashboard) signed in, or was refused. */
  onSignIn(who: 'user' | 'person', status: number): void
  /** A platform delivered to a source. */
  onSourceDelivery(status: number): void
  /** Messages were committed: made to be sent, held back by a rule, or failed. */
  onMessages(channel: Channel, outcome: MessageOutcome, count: number): void
  onRateLimited(limit: string): void
  onJob(kind: string, result: 'done' | 'retried' | 'dead'): void
  /** `outcome`: `ok`, `cached`, or the code of a failure. */
  onEnricherCall(outcome: string): void
  /** One request to an endpoint. */
  onEnricherAttempt(tookMs: number): void
  onWait(result: 'done' | 'retried' | 'dead' | 'parked'): void
  /** One evaluation in a sandbox; `does` is the name of its task. */
  onSandboxTask(does: string, tookMs: number): void
  /** A sandbox ended with evaluations in it. */
  onSandboxEnd(): void
  /** One answer of a provider of mail. */
  onMail(provider: string, outcome: string): void
  onMailPutOff(reason: string): void
  /** How many old values of secrets end within six hours. */
  onSecretsEnding(count: number): void
  /** How many integrations of a provider fail at present. */
  onMailFailing(provider: string, count: number): void
  /** Signals for other nodes. */
  onBusSignal(result: 'sent' | 'dropped'): void
  onFrame(): void
  onHeal(outcome: string): void
  onCut(reason: string): void
  onHandshakeRefused(): void
  /** An error was logged. */
  onErrorLogged(): void
  /** @returns Text in the format of Prometheus. */
  read(sources: ReadSources): Promise<string>
  /** @returns What our metrics are; docs/operations.md has it as a table. */
  describe(): { name: string; type: string; labels: string[]; help: string }[]
}

/**
 * Uses a separate registry, so that several apps in one process do not conflict.
 * @param options `withProcess` adds the metrics of `process-metrics.ts`.
 */
export function createMetrics(options: { withProcess?: boolean } = {}): Metrics {
  const registry = new Registry()
  const own = new Registry()
  if (options.withProcess === true) addProcessMetrics(registry)
  const registers = [registry, own]
  const setGauges = createGauges(registers)
  return {
    ...createCounters(registers),
    async read(sources) {
      await setGauges(sources)
      return withoutNaN(await registry.metrics())
    },
    describe: () =>
      own.getMetricsAsArray().map((metric) => {
        const { labelNames, help } = metric as typeof metric & { labelNames: string[]; help: string }
        return { name: metric.name, type: metric.constructor.name.toLowerCase(), labels: [...labelNames].sort(), help }
      }),
  }
}

/** Omits NaN (a mean without samples, an unreachable store), because readers treat it differently. */
const withoutNaN = (text: string) => text.replace(/^[^#\n]* Nan\n/gm, '')
