// Changes bodies that are made from the API reference so that they satisfy rules that no schema expresses.

import { generateKeyPairSync } from 'node:crypto'
import { STEP_TYPES } from '../../campaign/steps/registry.ts'
import type { Adjust } from './schema-arbitrary.ts'

type Fields = Record<string, unknown>

let count = 0
const unique = () => `k${count++}`
const withoutOthers = (value: Fields, keys: string[], kept: string | undefined) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key) || key === kept))
const withExactlyOne = (value: Fields, keys: string[], fallback: Fields) => {
  const found = keys.find((key) => value[key] !== undefined && value[key] !== null && value[key] !== false)
  return found === undefined
    ? { ...withoutOthers(value, keys, undefined), ...fallback }
    : withoutOthers(value, keys, found)
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
/** A schema does not express that an event is at most an hour ahead. */
const withPast = (value: Fields) =>
  typeof value.occurredAt === 'number' ? { ...value, occurredAt: Math.min(value.occurredAt, Date.now()) } : value
const withId = (value: Fields) => ({ ...value, id: unique() })

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEY = { algorithm: 'ES256', key: publicKey.export({ type: 'spki', format: 'pem' }) }
/** A schema does not express which text is a key of which algorithm. */
const withKey = (value: Fields) =>
  value.publicKey ? { ...value, publicKey: { ...(value.publicKey as Fields), ...KEY } } : value

/** A schema does not express the fields of each provider. The outbound guard refuses the host. */
const withAccount = ({ rotateWebhookPassword: _, ...value }: Fields) => ({
  ...value,
  name: unique(),
  provider: 'smtp',
  credentials: { host: '192.0.2.1' },
  from: value.from && { name: 'Shop', address: 'shop@example.com' },
})

/** A schema does not express addresses, names of headers, and that a file has one of two origins. */
const withEnvelope = (value: Fields) => ({
  ...value,
  from: null,
  replyTo: value.replyTo && '{{ event.properties.reply }}',
  cc: value.cc && ['boss@shop.example'],
  bcc: value.bcc && 'archive@shop.example',
  headers: value.headers && { 'X-Order': '{{ event.name }}' },
  attachments: value.attachments && [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }],
})

/** A schema does not express addresses and domains. */
const withSandbox = (value: Fields) => ({
  ...value,
  ...(value.emailSandbox !== undefined && {
    emailSandbox: value.emailSandbox && { mode: 'allow', addresses: ['ada@shop.example', 'shop.example'] },
  }),
})

/** A schema does not express paths, names of events, and that each type has one mapping. */
const withMappings = (value: Fields) => ({
  ...value,
  mappings: value.mappings && [{ providerEvent: 'invoice.paid', event: 'paid', userIdPath: 'data.object.customer' }],
})

/** A schema does not express paths, of which words a signed string is, and where its time is. */
const withSettings = (value: Fields) => ({
  ...value,
  ...(value.settings !== undefined && {
    settings: {
      ...(value.settings as Fields),
      signedString: 'timestamp.body',
      timestampHeader: 'X-Time',
      idPath: 'id',
      typePath: 'header:X-Type',
    },
  }),
})

/** A text without Liquid is a time. */
const withTime = ({ until, ...value }: Fields) =>
  until == null ? value : { ...value, until: typeof until === 'number' ? 1_900_000_000 : '{{ event.properties.at }}' }

/**
 * Rules of bodies that no schema expresses, by component. Steps of other campaigns do not exist here.
 * The remaining steps get a unique id.
 */
export const ADJUST: Adjust = {
  ...Object.fromEntries(STEP_TYPES.map(({ title }) => [title, withId])),
  CampaignDefinition: (value) => withOneDigest({ ...value, key: unique(), notificationConfigId: null }),
  CampaignDraft: ({ key: _, ...value }) => withOneDigest({ ...value, notificationConfigId: null }),
  EmailStep: (value) =>
    withId({ ...withEnvelope(withExactlyOne(value, ['html', 'markdown'], { html: 'x' })), unless: null }),
  // A schema does not express addresses.
  ProfileChange: (value) => (value.email == null ? value : { ...value, email: 'ada@example.com' }),
  // Not all weights are 0, and at most one branch is the `else`.
  Branch: (value) => ({
    ...withExactlyOne(
      { ...value, else: null, weight: typeof value.weight === 'number' ? 1 : null },
      ['when', 'weight', 'else'],
      { when: 'true' },
    ),
    key: unique(),
  }),
  DelayStep: (value) =>
    withId(withTime(withExactlyOne(value, ['for', 'until', 'untilQuietHoursEnd'], { for: 'PT1H' }))),
  // A schema does not express times in the future, existing categories and lists without common values.
  MessageChange: ({ snoozedUntil, ...value }) => (snoozedUntil ? { ...value, snoozedUntil: inAnHour() } : value),
  PreferencesChange: ({ categories, quietHours, ...value }) => ({
    ...value,
    categories: Array.isArray(categories)
      ? categories.slice(0, 1).map((category) => ({ ...category, key: 'orders' }))
      : [],
    quietHours: quietHours && { start: '22:00', end: '07:30', timeZone: 'Europe/London' },
  }),
  SubscriberChange: ({ remove: _, ...value }) => value,
  // Of the two channels, only mail has addresses.
  NewSuppression: ({ address, ...value }) => ({
    ...value,
    channel: 'email',
    ...(address !== undefined && { address: 'ada@example.com' }),
  }),
  NewEmailIntegration: withAccount,
  EmailIntegrationChange: withAccount,
  TrackRequest: withPast,
  TrackedEventInput: withPast,
  // Only a source of `hmac` has settings, and needs them.
  NewSource: ({ settings: _, ...value }) =>
    withMappings({ ...value, provider: value.provider === 'hmac' ? 'stripe' : value.provider }),
  SourceChange: (value) => withMappings(withSettings(value)),
  SignatureTrial: withSettings,
  SourceTrial: ({ payload: _, ...value }) => ({ ...withMappings(value), payload: {} }),
  SourceSecretRotate: (value) => ({ ...value, overlap: value.overlap && 'P1DT2H' }),
  SourceSecretExtend: (value) => ({ ...value, overlap: value.overlap && 'P1DT2H' }),
  // A schema does not express that messages are texts or objects of them.
  TranslationMessages: (value) => Object.fromEntries(Object.keys(value).map((key) => [`k${key.length}`, 'x {n}'])),
  SnippetContent: () => ({ source: '{{ event.name }}' }),
  // A definition is the stored draft, which it describes elsewhere; an explanation has an event or the ID of one.
  PreviewRequest: ({ definition: _, ...value }) => ({ ...value, stepId: 'tell' }),
  DryRunRequest: ({ definition: _, ...value }) => value,
  TestRequest: ({ definition: _, toOwnAddress: __, ...value }) => value,
  TextChangesRequest: ({ definition: _, ...value }) => value,
  ExplainRequest: ({ definition: _, eventId: __, ...value }) => value,
  NewEnvironment: (value) => withSandbox(withKey(value)),
  EnvironmentChange: (value) => withSandbox(withKey(value)),
  // From one hour to seven days.
  SecretOverlap: (value) => ({ ...value, overlap: value.overlap && 'P1DT2H' }),
  NotificationConfigContent: ({ categories, email, ...value }) => ({
    ...value,
    categories: (categories as Fields[] | undefined)?.map((category) => ({ ...category, key: unique() })),
    email: email && withContent(email as Fields),
  }),
  LayoutPreviewRequest: ({ email, ...value }) => ({ ...value, email: email && withContent(email as Fields) }),
}

const withContent = (email: Fields) =>
  typeof email.layout === 'string' ? { ...email, layout: '<main>{{ content }}</main>', layoutFormat: 'html' } : email

/** Replaces each digest that comes after another one on its path: a run passes at most one. */
function keepFirstDigest(steps: Fields[], hasPassed = false): { steps: Fields[]; hasPassed: boolean } {
  let passed = hasPassed
  const kept = steps.map((step) => {
    if (step.type === 'digest') {
      if (passed) return { id: step.id, type: 'exit' }
      passed = true
    }
    if (!Array.isArray(step.branches)) return step
    const before = passed
    const branches = step.branches.map((branch: Fields) => {
      const inner = keepFirstDigest(branch.steps as Fields[], before)
      passed ||= inner.hasPassed
      return { ...branch, steps: inner.steps }
    })
    return { ...step, branches }
  })
  return { steps: kept, hasPassed: passed }
}

const withOneDigest = (value: Fields): Fields =>
  Array.isArray(value.steps) ? { ...value, steps: keepFirstDigest(value.steps).steps } : value
