// Turns a generated request into the one that is sent: with the credentials and ids of a world.

import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import { signedHeaders } from '../support/given-sources.ts'
import { brokenBytes, changed, toText } from './hostile.ts'
import type { Place } from './records.ts'
import type { Body, Credential, Drawn, Named, Operation } from './requests.ts'
import type { Sent } from './send.ts'
import { tokenOf, type World } from './world.ts'

/** Calls after which a session, a key, an environment or a source of the caller no longer works. */
const ENDS =
  /^DELETE .*(session|environments|members|sources|integrations|topics|users)|^PUT .*(environments\/\{envId\}|password|members)|(emergency|retire|rotate|sign-out)$/
const UNKNOWN = ['00000000011', '7zzzzzzzzzz', '0', 'none']
const HOSTS = /example\.(com|org)/g

export interface Aimed extends Sent {
  /** Whose id or credential is in it. */
  place: Place
  isMethodChanged: boolean
  isFromDashboard: boolean
  /** Whether a text stands in the place of an id, which may be that of another path. */
  isPathOdd: boolean
}

/** @returns The request. */
export function toSent(operation: Operation, drawn: Drawn, world: World): Aimed {
  const isEnding = ENDS.test(operation.name)
  const { place, cookie } = isEnding ? world.victim : { place: world.own, cookie: world.cookie }
  const isConnector = operation.path.startsWith('/v1/connectors')
  const source = place.sources[atOf(drawn.params.sourceId) % place.sources.length]
  const segments: Record<string, string> =
    isConnector && source !== undefined ? { provider: source.provider, sourceId: source.id } : {}
  const path = pathOf(operation, drawn, { place, other: world.other }, segments)
  const body = drawn.body === undefined ? undefined : bytesOf(drawn.body, place)
  const signed =
    isConnector && source !== undefined && body !== undefined && drawn.credential === 'right'
      ? signedHeaders(source.provider as ConnectorPlatform, { secret: source.secret, body, url: source.url })
      : {}
  const query =
    drawn.rawQuery ?? new URLSearchParams(drawn.query.map(([name, text]) => [name, wellFormed(text)])).toString()
  const credential = isPerson(operation, drawn) && drawn.credential === 'right' ? 'cookie' : drawn.credential
  return {
    method: drawn.method ?? operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      ...credentialHeaders(operation, credential, { place, other: world.other, cookie }),
      ...(body !== undefined && drawn.contentType !== undefined && { 'content-type': drawn.contentType }),
      ...signed,
      ...Object.fromEntries(Object.entries(drawn.headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
    body,
    isFromNewAddress: operation.path.startsWith('/v1/dashboard/auth'),
    place,
    isFromDashboard: drawn.isFromDashboard,
    isPathOdd: Object.values(drawn.params).some(({ from }) => from === 'text'),
    isMethodChanged: drawn.method !== undefined && drawn.method !== operation.method,
  }
}

const isPerson = ({ security }: Operation, { isFromDashboard }: Drawn) =>
  isFromDashboard || security?.some((scheme) => 'dashboardSession' in scheme) === true

const atOf = (named: Named | undefined) => (named !== undefined && 'at' in named ? named.at : 0)

function pathOf(
  { path }: Operation,
  { isFromDashboard, params }: Drawn,
  { place, other }: { place: Place; other: Place },
  fixed: Record<string, string>,
): string {
  const filled = path.replace(/([^/]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const value = fixed[name] ?? textOf(params[name], { place, other }, `${segment}/{${name}}`)
    return `${segment}/${value}`
  })
  // A parameter after another one has no segment of its own before it.
  const whole = filled.replace(
    /\{(\w+)\}/g,
    (_, name: string) => fixed[name] ?? textOf(params[name], { place, other }, `${path.split('/')[2]}/{${name}}`),
  )
  return isFromDashboard ? whole.replace('/v1', `/v1/dashboard/environments/${place.envId}`) : whole
}

function textOf(named: Named | undefined, { place, other }: { place: Place; other: Place }, key: string): string {
  if (named === undefined) return 'none'
  if (named.from === 'text') return encodeURIComponent(wellFormed(named.text)) || '%20'
  const known = (named.from === 'foreign' ? other : place).ids.get(key) ?? []
  const prefix = known[0]?.match(/^[a-z]{3}_/)?.[0] ?? ''
  const value = named.from === 'unknown' ? `${prefix}${UNKNOWN[named.at]}` : known[named.at % Math.max(known.length, 1)]
  return encodeURIComponent(value ?? 'none')
}

/** A lone surrogate cannot be in a URL: it is sent as the bytes that some clients make of it. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

interface Callers {
  place: Place
  other: Place
  cookie: string
}

function credentialHeaders(
  { security }: Operation,
  credential: Credential,
  { place, other, cookie }: Callers,
): Record<string, string> {
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
  const isWidget = security?.some((scheme) => 'widgetSession' in scheme) === true
  switch (credential) {
    case 'none':
      return {}
    case 'right':
      return security === undefined ? { 'x-nc-request': '1' } : bearer(isWidget ? place.session : place.sdkSecretKey)
    case 'sdkSecretKey':
    case 'frontApiKey':
    case 'session':
      return bearer(place[credential])
    case 'cookie':
      return { cookie, 'x-nc-request': '1' }
    case 'foreign':
      return bearer(isWidget ? other.session : other.sdkSecretKey)
    case 'forged':
      return bearer(`${place.sdkSecretKey.slice(0, -4)}0000`)
    case 'twice':
      return { authorization: `Bearer ${place.sdkSecretKey}, Bearer ${other.sdkSecretKey}` }
  }
}

/** Fields that only the world knows, where the body has them. */
function withKeys(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Record<string, unknown>
  const keys: Record<string, unknown> = {}
  if (typeof fields.sdkSecretKey === 'string') keys.sdkSecretKey = place.sdkSecretKey
  if (typeof fields.apiKey === 'string') keys.apiKey = place.frontApiKey
  if (typeof fields.apiKey === 'string' && fields.authType !== 'jwt' && typeof fields.userId === 'string')
    keys.token = tokenOf(place.authSecretKey, wellFormed(fields.userId))
  if (Object.keys(keys).length === 0) return value
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(fields), ...describe(keys) })
}

const describe = (values: Record<string, unknown>): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, enumerable: true }]))

/** No call leaves the machine: hosts that exist are replaced by one that does not. */
function bytesOf(body: Body, place: Place): Buffer {
  switch (body.form) {
    case 'value':
      return Buffer.from(
        toText(changed(withKeys(body.value, place), body.changes) ?? null).replace(HOSTS, 'fuzz.invalid'),
      )
    case 'bytes':
      return brokenBytes(toText(withKeys(body.value, place) ?? null).replace(HOSTS, 'fuzz.invalid'), body.change)
    case 'text':
      return Buffer.from(body.text)
    case 'huge':
      return Buffer.from(`{"name":"${'x'.repeat(body.bytes)}"}`)
  }
}
