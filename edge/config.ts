// Declares and parses the settings in one table: name, default, meaning, parser. All problems are reported together.

import { parseRateLimits } from './domain/limits/parse-rate-limits.ts'
import type { Regions } from './domain/tenant/region.ts'
import { LOG_LEVELS, type LogLevel } from './lib/log.ts'
import { isLoopback, isLoopbackUrl } from './lib/loopback.ts'
import { findNearOrigin, isAnywhere } from './lib/near-host.ts'
import { readDatabaseUrl } from './lib/settings/database-url.ts'
import { findMisspeltSettings } from './lib/settings/misspelt-settings.ts'
import {
  parseCollector,
  parseDatabaseUrl,
  parseEmailFrom,
  parseNodeNumbers,
  parsePublicUrl,
  parseRanges,
  parseRedisUrl,
  parseRegion,
  parseRegionHosts,
  parseSmtpUrl,
} from './lib/settings/parse-addresses.ts'
import { parseMasterKeys, parseMetricsToken } from './lib/settings/parse-secrets.ts'
import {
  describeTable,
  duration,
  integer,
  oneOf,
  parseTable,
  required,
  row,
  type Setting,
  SettingsError,
  type SettingTable,
} from './lib/settings/setting.ts'
import { readNames, readSecret, readWritten } from './lib/settings/written-value.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** What the first start writes, by the words of SEED_DEMO. */
const SEEDS = { true: 'life', plain: 'plain', false: false } as const

const TABLE = {
  port: row('PORT', '3000', 'Port that the server listens on; 0 takes a free one.', integer(0, 65_535)),
  host: row('HOST', '127.0.0.1', 'Address that the server listens on.', (value) =>
    required(value).replace(/^\[(.*)\]$/, '$1'),
  ),
  dataDir: row('DATA_DIR', './data', 'Folder of the SQLite files and the generated master key.', required),
  databaseUrl: row(
    'DATABASE_URL',
    undefined,
    'PostgreSQL in place of SQLite, as `postgres://user:password@host:5432/database`, with `?sslmode=verify-full` for TLS. Needs MASTER_KEY.',
    parseDatabaseUrl,
    'secret',
  ),
  databaseReadUrl: row(
    'DATABASE_READ_URL',
    undefined,
    'A replica of that PostgreSQL, written in the same way, that answers history, exports, statistics and search while it is less than 10 s behind. Needs DATABASE_URL.',
    parseDatabaseUrl,
    'secret',
  ),
  redisUrl: row(
    'REDIS_URL',
    undefined,
    'Redis that carries pushes between several nodes, as `redis://user:password@host:6379`, or `rediss://` for TLS. Needs DATABASE_URL.',
    parseRedisUrl,
    'secret',
  ),
  masterKeys: row(
    'MASTER_KEY',
    undefined,
    'Encrypts secrets at rest: 32 bytes as base64, or a list with commas (the first encrypts, all decrypt). Default: generated into DATA_DIR (mode 0600).',
    parseMasterKeys,
    'secret',
  ),
  publicUrl: row(
    'PUBLIC_URL',
    undefined,
    'Address by which browsers reach the server, for links and realtime. Default: http://HOST:PORT.',
    parsePublicUrl,
  ),
  sessionLifetimeMs: row(
    'SESSION_LIFETIME',
    'PT1H',
    'How long a widget session lasts, from PT1M to P30D.',
    duration(MINUTE_MS, 30 * DAY_MS),
  ),
  rateLimits: row(
    'RATE_LIMITS',
    'auth=1200,inbox=1200,track=off,management=off,webhooks=off',
    'Limits per minute: sign-ins (`auth`) per address, calls of the widget (`inbox`) per user, recipients of tracked events (`track`), other calls with a key (`management`) and calls of e-mail providers (`webhooks`) per environment; a number or `off` each, or `off` for all.',
    parseRateLimits,
  ),
  region: row('REGION', 'eu', 'Part of every key; keys of another region are unknown here.', parseRegion),
  regionHosts: row(
    'REGION_HOSTS',
    undefined,
    'Addresses by region, such as `eu=https://eu.example.com,us=https://us.example.com`: the `host` of an environment, and where callers with a key of another region are sent.',
    parseRegionHosts,
  ),
  nodeNumbers: row(
    'NODE_NUMBERS',
    '0-30',
    'Numbers of nodes, one for each that runs at a time. Deployments among which environments move need different ones, such as `0-9` and `10-19`.',
    parseNodeNumbers,
  ),
  outboundAllow: row(
    'OUTBOUND_ALLOW',
    undefined,
    'Address ranges beyond public unicast that calls to customers may reach, such as `10.0.0.0/8`. Default: none (loopback with SEED_DEMO on a loopback HOST).',
    parseRanges,
  ),
  smtpUrl: row(
    'SMTP_URL',
    undefined,
    'Mail server for environments without an integration and for the service’s own mails, as `smtp://user:password@host:587` (STARTTLS, with `?tls=none` without), or `smtps://` for TLS from the start. Default: mails are kept as files and in the mailbox of the demo.',
    parseSmtpUrl,
    'secret',
  ),
  emailFrom: row(
    'EMAIL_FROM',
    undefined,
    'Sender of mails when notification config and integration name none, as `news@example.com` or `Example <news@example.com>`. Default: `no-reply` at the host of PUBLIC_URL.',
    parseEmailFrom,
    'quoted',
  ),
  emailUnknownOutcome: row(
    'EMAIL_UNKNOWN_OUTCOME',
    'stop',
    'What follows when a provider may or may not have taken a mail: `stop` records it as failed, `retry` sends it again, perhaps twice.',
    oneOf(['stop', 'retry'], (value) => value as 'stop' | 'retry'),
  ),
  seedDemo: row(
    'SEED_DEMO',
    'false',
    'Creates the demo organisation and DATA_DIR/demo.json, with a month of events; `plain` leaves the month out. `npm start` from a checkout sets it to true where only this machine reaches the server.',
    oneOf(
      ['true', 'plain', 'false'],
      (value) => SEEDS[value as keyof typeof SEEDS] as (typeof SEEDS)[keyof typeof SEEDS],
    ),
  ),
  idempotencyKeptMs: row(
    'IDEMPOTENCY_KEPT',
    'PT24H',
    'How long an idempotency key is kept, from PT24H to P30D.',
    duration(DAY_MS, 30 * DAY_MS),
  ),
  trustedProxies: row(
    'TRUSTED_PROXIES',
    '0',
    'Number of trusted proxies that append to X-Forwarded-For; 0 takes the address of the connection.',
    integer(0, 10),
  ),
  drainNoticeMs: row(
    'DRAIN_NOTICE',
    'PT0S',
    'How long all requests are still served after SIGTERM while `/readyz` already fails, so that load balancers stop sending; up to PT8S.',
    duration(0, 8000),
  ),
  keepAliveMs: row(
    'KEEP_ALIVE',
    'PT65S',
    'How long an idle connection is kept, from PT1M to PT1H; longer than the balancer keeps it (some 600 s), so that the balancer ends it first.',
    duration(MINUTE_MS, 60 * MINUTE_MS),
  ),
  metricsToken: row(
    'METRICS_TOKEN',
    undefined,
    'Bearer token that `/metrics` requires, 16 characters or more. Default: only this machine reads them, without a token.',
    parseMetricsToken,
    'secret',
  ),
  metricsPort: row(
    'METRICS_PORT',
    undefined,
    'Second port of HOST for `/metrics` and the probes alone, which needs no token unless METRICS_TOKEN is set; keep it private. Default: none.',
    (value) => (value === undefined ? null : integer(1, 65_535)(value)),
  ),
  collectorUrl: row(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    'OpenTelemetry collector that gets traces, OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is appended. Default: none.',
    (value) => parseCollector(value, '/v1/traces'),
  ),
  tracesUrl: row(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    undefined,
    'The same as the whole address for traces; it precedes.',
    (value) => parseCollector(value),
  ),
  logLevel: row(
    'LOG_LEVEL',
    'info',
    `Lowest level of log lines: ${LOG_LEVELS.join(', ')}.`,
    oneOf(LOG_LEVELS, (value) => value as LogLevel),
  ),
} satisfies SettingTable

type Parsed = { [K in keyof typeof TABLE]: ReturnType<(typeof TABLE)[K]['parse']> }

/** The settings as the process uses them; null: no value and no default. */
export type Settings = Omit<Parsed, 'outboundAllow'> & { outboundAllow: string[] }

/** Parses all settings. @throws SettingsError that lists every problem, without values, which may be secret. */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const names = readNames(env)
  const parsed: Parsed = parseTable(TABLE, ({ name, written }) =>
    written === 'secret' ? readSecret(names, name) : readWritten(names[name], written === 'quoted'),
  )
  refuseServersWithSqlite(parsed)
  requireMasterKey(parsed)
  // Port 0 is any free one.
  if (parsed.port !== 0 && parsed.metricsPort === parsed.port)
    throw new SettingsError(['METRICS_PORT must be another port than PORT.'])
  const isLocalDemo = parsed.seedDemo !== false && isLoopback(parsed.host)
  return { ...parsed, outboundAllow: parsed.outboundAllow ?? (isLocalDemo ? ['127.0.0.0/8', '::1/128'] : []) }
}

/** Refuses Redis with SQLite: nodes without a shared store would publish changes of inboxes that the others do not have. SQLite has no replica. */
function refuseServersWithSqlite({ redisUrl, databaseReadUrl, databaseUrl }: Parsed): void {
  if (databaseUrl !== null) return
  const problems: string[] = []
  if (redisUrl !== null) {
    problems.push(
      'REDIS_URL must be unset without DATABASE_URL: it connects several nodes of one PostgreSQL, and SQLite serves one node, which needs no Redis.',
    )
  }
  if (databaseReadUrl !== null) {
    problems.push('DATABASE_READ_URL must be unset without DATABASE_URL: it names a replica of that PostgreSQL.')
  }
  if (problems.length > 0) throw new SettingsError(problems)
}

/** Requires MASTER_KEY with PostgreSQL: other nodes could not decrypt secrets with a key in one node's folder. */
function requireMasterKey({ databaseUrl, masterKeys }: Parsed): void {
  if (databaseUrl === null || masterKeys !== null) return
  throw new SettingsError([
    'MASTER_KEY must be set with DATABASE_URL: all nodes encrypt and decrypt secrets with the same key.',
  ])
}

/**
 * @param publicUrl Known once the server listens; its own address stands for its region where REGION_HOSTS has none.
 * @returns The region of this deployment, and the addresses of all known regions.
 */
export function regionsOf(
  { region, regionHosts }: Pick<Settings, 'region' | 'regionHosts'>,
  publicUrl: () => string,
): Regions {
  return {
    own: region,
    get hosts() {
      return { [region]: publicUrl().replace(/\/$/, ''), ...regionHosts }
    },
  }
}

/** @returns Whether only this machine can reach the server: it listens nowhere else, and no proxy stands before it. */
export function isOnlyLocal({ host, publicUrl, trustedProxies }: Pick<Settings, ReachSettings>): boolean {
  return isLoopback(host) && trustedProxies === 0 && (publicUrl === null || isLoopbackUrl(publicUrl))
}

/**
 * @returns The host for a URL, an IPv6 address in brackets. In place of "all interfaces" a loopback address; of IPv6
 *   `localhost`, because machines may lack either family, and callers of a name try both.
 */
export function hostInUrl({ host }: Pick<Settings, 'host'>): string {
  if (isAnywhere(host)) return host.includes(':') ? 'localhost' : '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Without PUBLIC_URL, a server that listens everywhere does not know by which address a browser reaches it.
 * @returns The origin to name to the sender of a request with this `Host`, never in a mail; undefined: not to be derived
 */
export function originForCaller(
  { host, publicUrl, trustedProxies }: Pick<Settings, ReachSettings>,
  requestHost: string | undefined,
): string | undefined {
  return publicUrl === null && trustedProxies === 0 && isAnywhere(host) ? findNearOrigin(requestHost) : undefined
}

type ReachSettings = 'host' | 'publicUrl' | 'trustedProxies'

/** @returns A message for each variable that resembles a setting. */
export function findUnknownVariables(env: Record<string, string | undefined>): string[] {
  const names = Object.values<Setting<unknown>>(TABLE).flatMap(({ name, written }) =>
    written === 'secret' ? [name, `${name}_FILE`] : [name],
  )
  return findMisspeltSettings(names, readNames(env)).map(
    ({ name, meant }) => `${name} is no setting. Is ${meant} meant?`,
  )
}

/** @returns A message for each address of a database that names its parameters without effect; empty without any. */
export function findIgnoredParameters(env: Record<string, string | undefined>): string[] {
  return [TABLE.databaseUrl, TABLE.databaseReadUrl].flatMap(({ name }) => {
    const given = readSecret(readNames(env), name)
    const ignored = given === undefined ? [] : readDatabaseUrl(given).ignored
    return ignored.length === 0 ? [] : [`${name} has parameters without effect here: ${ignored.join(', ')}.`]
  })
}

/** @returns The table of `docs/config.md` in Markdown; a check compares it with the page. */
export function describeSettings(): string {
  return describeTable(TABLE)
}
