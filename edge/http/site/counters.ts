// Counts what happened. Each series exists from the start with 0: a rule by rate() fires at the first event only then.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { CHANNELS, type Channel } from '../../../contract/delivery.ts'
import { ERRORS, type ErrorCode } from '../../../contract/errors.ts'
import { CALL_ERRORS, ENRICHER_ERRORS } from '../../../contract/resources/enricher.ts'
import { LIMITED_CLASSES, MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import { MESSAGE_OUTCOMES, type MessageOutcome } from '../../domain/message-outcome.ts'
import type { StoreWatch } from '../../domain/stores.ts'
import { RUN_DELIVERIES } from '../../flow/connector/begin-run.ts'
import { PUT_OFF_REASONS } from '../../flow/mail/commit-mail.ts'
import { TASK_NAMES } from '../../sandbox/tasks.ts'

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_PLANS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]
/** As ready-made boards of HTTP servers group them. */
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
const JOB_RESULTS = ['done', 'retried', 'dead']
const OUTCOMES_OF_PROVIDERS = ['accepted', 'refused', 'unavailable', 'unknown', 'render-error']
const CALL_RESULTS = ['accepted', 'refused', 'failed'] as const

/** @returns The functions of `Metrics` that count. */
export function createCounters(registers: Registry[]) {
  return {
    ...createHttpCounters(registers),
    ...createCallCounters(registers),
    ...createStoreCounters(registers),
    ...createSocketCounters(registers),
    ...createBusCounters(registers),
    ...createJobCounters(registers),
    ...createMessageCounters(registers),
    ...createMailCounters(registers),
    ...createEnricherCounters(registers),
    ...createSandboxCounters(registers),
    ...createSecretCounters(registers),
    ...createLogCounters(registers),
  }
}

function createHttpCounters(registers: Registry[]) {
  const counter = counterIn(registers)
  const accepted = counter(
    'nc_events_accepted_total',
    'Tracked events answered 202: `new`, or `repeated` by their idempotency key.',
    { outcome: ['new', 'repeated'] },
  )
  const codes = Object.keys(ERRORS)
  const refused = counter('nc_requests_refused_total', 'Requests answered with an error, items of batches too.', {
    code: codes,
  })
  const limited = counter('nc_rate_limited_total', 'Calls over a rate limit, by which one.', { limit: LIMITED_CLASSES })
  const took = new Histogram({
    name: 'nc_http_request_duration_seconds',
    help: 'From the head of a request to its answer, by area of the API and class of status (`2xx` to `5xx`).',
    labelNames: ['area', 'status_code'],
    buckets: SECONDS,
    registers,
  })
  // Caches the labels, because a lookup costs more than the count.
  const areas = new Map<string, { observe(value: number): void }[]>()
  function seriesOf(area: string) {
    let series = areas.get(area)
    if (series === undefined) {
      for (const status of STATUS_CLASSES) took.zero({ area, status_code: status })
      series = STATUS_CLASSES.map((status) => took.labels(area, status))
      areas.set(area, series)
    }
    return series
  }
  return {
    onAccepted: (count: number, outcome: 'new' | 'repeated') => accepted.inc({ outcome }, count),
    onRefused: (code: ErrorCode) => refused.inc({ code }),
    onRateLimited: (limit: string) => limited.inc({ limit }),
    onArea: (area: string) => void seriesOf(area),
    onAnswered(area: string, status: number, tookMs: number) {
      seriesOf(area)[Math.floor(status / 100) - 2]?.observe(tookMs / 1000)
    },
  }
}

/** Counts sign-ins and deliveries of platforms by their answers. */
function createCallCounters(registers: Registry[]) {
  const counter = counterIn(registers)
  const signIns = counter(
    'nc_sign_ins_total',
    'Sign-ins of a `user` (a widget) or `person` (the dashboard); `accepted`, `refused` or `failed`; each step of a sign-in counts.',
    {
      who: ['user', 'person'],
      result: CALL_RESULTS,
    },
  )
  const deliveries = counter(
    'nc_source_deliveries_total',
    'Deliveries of platforms: `accepted`, `refused` or `failed`.',
    { result: CALL_RESULTS },
  )
  const resultOf = (status: number) => (status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed')
  return {
    onSignIn: (who: 'user' | 'person', status: number) => signIns.inc({ who, result: resultOf(status) }),
    onSourceDelivery: (status: number) => deliveries.inc({ result: resultOf(status) }),
  }
}

function createStoreCounters(registers: Registry[]): StoreWatch {
  const seconds = (name: string, help: string) => new Histogram({ name, help, buckets: SECONDS, registers })
  const wait = seconds('nc_commit_wait_seconds', 'How long the first plan of a batch waited for the writer.')
  const write = seconds('nc_store_write_seconds', 'A batch, from when it is handed to the writer until it is durable.')
  const read = seconds('nc_store_read_seconds', 'One reading statement.')
  const help = 'Plans that were committed together.'
  const plans = new Histogram({ name: 'nc_commit_batch_plans', help, buckets: BATCH_PLANS, registers })
  return {
    onRead: (tookMs) => read.observe(tookMs / 1000),
    onBatch(batch) {
      write.observe(batch.tookMs / 1000)
      if (batch.plans === 0) return
      plans.observe(batch.plans)
      wait.observe(batch.waitedMs / 1000)
    },
  }
}

function createSocketCounters(registers: Registry[]) {
  const counter = counterIn(registers)
  const frames = counter('nc_socket_frames_total', 'Frames sent to widget sockets.')
  const outcomes = ['current', 'changes', 'reset']
  const heals = counter(
    'nc_socket_heals_total',
    'Clients brought up to date: `current`, by `changes`, or by a `reset`.',
    { outcome: outcomes },
  )
  const reasons = ['slow', 'flood', 'protocol']
  const cuts = counter('nc_socket_cuts_total', 'Sockets cut: `slow`, `flood` or `protocol`.', { reason: reasons })
  const handshakes = counter('nc_socket_handshakes_refused_total', 'Handshakes refused.')
  return {
    onFrame: () => frames.inc(),
    onHeal: (outcome: string) => heals.inc({ outcome }),
    onCut: (reason: string) => cuts.inc({ reason }),
    onHandshakeRefused: () => handshakes.inc(),
  }
}

function createBusCounters(registers: Registry[]) {
  const help =
    'Pushes and notices to other nodes: `sent` to Redis, or `dropped` because it is away or does not keep up.'
  const signals = counterIn(registers)('nc_bus_words_total', help, { result: ['sent', 'dropped'] })
  // Caches the labels, because a lookup costs more than the count.
  const series = { sent: signals.labels('sent'), dropped: signals.labels('dropped') }
  return { onBusSignal: (result: 'sent' | 'dropped') => series[result].inc() }
}

function createJobCounters(registers: Registry[]) {
  const kinds = ['fan-out', 'rouse-waits', RUN_DELIVERIES, 'resume-run']
  const ran = counterIn(registers)(
    'nc_jobs_total',
    'Attempts of jobs: `done`, `retried`, `dead`, or `parked` while their campaign is paused; `resume-run`: runs after a wait.',
    {
      kind: kinds,
      result: JOB_RESULTS,
    },
  )
  ran.inc({ kind: 'resume-run', result: 'parked' }, 0)
  return {
    onJob: (kind: string, result: string) => ran.inc({ kind, result }),
    onWait: (result: string) => ran.inc({ kind: 'resume-run', result }),
  }
}

function createMessageCounters(registers: Registry[]) {
  const labels = { channel: CHANNELS, outcome: MESSAGE_OUTCOMES }
  const messages = counterIn(registers)(
    'nc_messages_total',
    'Messages: `made`, `held-back` (by a rule, a preference or a state) or `failed`.',
    labels,
  )
  return {
    onMessages: (channel: Channel, outcome: MessageOutcome, count: number) => messages.inc({ channel, outcome }, count),
  }
}

function createMailCounters(registers: Registry[]) {
  const counter = counterIn(registers)
  const provider = [...MAIL_PROVIDERS, 'mailbox']
  const outcomes = { provider, outcome: OUTCOMES_OF_PROVIDERS }
  const answers = counter(
    'nc_mail_answers_total',
    'Answers of providers: `accepted`, `unknown`, `refused` (for the message), `unavailable` (asked again), `render-error` (it cannot be built).',
    outcomes,
  )
  const putOff = counter(
    'nc_mails_put_off_total',
    'Mails put off by `provider` (its answer), `busy` (no slot), `permit` (its rate), `pause`, `quiet-hours` or `fault` (an error of ours, or too much work).',
    { reason: PUT_OFF_REASONS },
  )
  const help = 'Integrations, `SMTP_URL` among them, whose last answer was a failure; the log has the error.'
  const failing = new Gauge({ name: 'nc_mail_integrations_failing', help, labelNames: ['provider'], registers })
  for (const one of provider) failing.set({ provider: one }, 0)
  return {
    onMail: (provider: string, outcome: string) => answers.inc({ provider, outcome }),
    onMailPutOff: (reason: string) => putOff.inc({ reason }),
    onMailFailing: (provider: string, count: number) => failing.set({ provider }, count),
  }
}

function createSecretCounters(registers: Registry[]) {
  const help = 'Old values of secrets that end within six hours, each minute; admins get one mail for each.'
  const ending = new Gauge({ name: 'nc_old_secrets_ending', help, registers })
  return { onSecretsEnding: (count: number) => ending.set(count) }
}

function createLogCounters(registers: Registry[]) {
  const errors = counterIn(registers)('nc_errors_logged_total', 'Lines of the log at `error`, whatever `LOG_LEVEL` is.')
  return { onErrorLogged: () => errors.inc() }
}

function createEnricherCounters(registers: Registry[]) {
  const outcome = ['ok', 'cached', ...ENRICHER_ERRORS, ...CALL_ERRORS]
  const calls = counterIn(registers)(
    'nc_enricher_calls_total',
    'Calls of enrichers: `ok`, `cached`, or the code of their failure.',
    { outcome },
  )
  const name = 'nc_enricher_attempt_seconds'
  const help = 'One request to an enricher, until its answer or failure.'
  const took = new Histogram({ name, help, buckets: [...SECONDS, 10], registers })
  return {
    onEnricherCall: (outcome: string) => calls.inc({ outcome }),
    onEnricherAttempt: (tookMs: number) => took.observe(tookMs / 1000),
  }
}

function createSandboxCounters(registers: Registry[]) {
  const ended = counterIn(registers)('nc_sandbox_ended_total', 'Sandboxes that ended with evaluations in them.')
  const name = 'nc_sandbox_task_seconds'
  const help = 'Processor time of one evaluation in a sandbox, by task.'
  const took = new Histogram({ name, help, labelNames: ['does'], buckets: SECONDS, registers })
  for (const does of TASK_NAMES) took.zero({ does })
  return {
    onSandboxTask: (does: string, tookMs: number) => took.observe({ does }, tookMs / 1000),
    onSandboxEnd: () => ended.inc(),
  }
}

/** @returns A function that creates a counter, with a series of 0 for all values of its labels together. */
function counterIn(registers: Registry[]) {
  return (name: string, help: string, labels: Record<string, readonly string[]> = {}) => {
    const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers })
    let series: Record<string, string>[] = [{}]
    for (const [label, values] of Object.entries(labels)) {
      series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })))
    }
    for (const one of series) counter.inc(one, 0)
    return counter
  }
}
