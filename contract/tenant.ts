// Defines what people set of an environment and of a notification config, as the API, the server and the dashboard name it.

/** The claims that may name the client of a token: the one that it was issued for. */
export const CLIENT_CLAIMS = ['aud', 'client_id', 'azp'] as const
export type ClientClaim = (typeof CLIENT_CLAIMS)[number]

/** Algorithms that an environment may choose. Never `none` or HS*: with HS* a public key would sign as well as verify. */
export const JWT_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const

export const AUTH_TYPES = ['backendToken', 'jwt', 'signedJwt'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

export const SECRET_KINDS = ['sdkSecretKey', 'authSecretKey', 'frontApiKey', 'webhookSigningSecret'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** A value for each kind of secret. */
export function byKind<T>(find: (kind: SecretKind) => T): Record<SecretKind, T> {
  return Object.fromEntries(SECRET_KINDS.map((kind) => [kind, find(kind)])) as Record<SecretKind, T>
}

/** What `sdkKeyMayManage` lets an sdkSecretKey do, beside what every key may. docs/api.md has these words. */
export const KEY_MAY_MANAGE =
  'change campaigns, enrichers, translations, snippets, sources and e-mail integrations, suppress users and addresses or end that, and export and erase users'

/**
 * `auth`: sign-ins, per address. `inbox`: calls of the widget, per user. `track`: recipients of tracked events, per
 * environment. `management`: all other calls with a key, per environment. `webhooks`: calls of providers, per environment.
 */
export const LIMITED_CLASSES = ['auth', 'inbox', 'track', 'management', 'webhooks'] as const
export type LimitedClass = (typeof LIMITED_CLASSES)[number]

/** Calls per minute by class; null: no limit. */
export type CallLimits = Record<LimitedClass, number | null>

/** Providers of mail that an integration may name. */
export const MAIL_PROVIDERS = ['smtp', 'sendgrid', 'postmark', 'mailgun', 'ses', 'resend', 'brevo', 'mailjet'] as const
export type MailProviderName = (typeof MAIL_PROVIDERS)[number]

/** How mails of an environment go; `none`: they are skipped, `no-provider`. */
export const MAIL_WAYS = ['integration', 'server', 'mailbox', 'none'] as const
export type MailWay = (typeof MAIL_WAYS)[number]

/** `off`: all mails leave. `redirect`: all to one address. `allow`: those to listed addresses and domains. */
export const SANDBOX_MODES = ['off', 'redirect', 'allow'] as const

/** Platforms whose deliveries become tracked events. */
export const NAMED_PLATFORMS = ['segment', 'stripe', 'hubspot', 'intercom', 'customerio'] as const
/** With every sender that signs with an HMAC, or by Standard Webhooks. */
export const CONNECTOR_PLATFORMS = [...NAMED_PLATFORMS, 'hmac', 'standardwebhooks'] as const
export type NamedPlatform = (typeof NAMED_PLATFORMS)[number]
export type ConnectorPlatform = (typeof CONNECTOR_PLATFORMS)[number]

/** What becomes of an item of a delivery. */
export const DELIVERY_OUTCOMES = ['accepted', 'unreadable', 'duplicate', 'refused', 'dropped'] as const
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number]

/** `basic`: no signature; the header is the Basic credentials of the secret, `user:password`. */
export const HMAC_ALGORITHMS = ['sha256', 'sha512', 'sha1', 'basic'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const

export const LAYOUT_FORMATS = ['html', 'mjml'] as const
export type LayoutFormat = (typeof LAYOUT_FORMATS)[number]

/** What becomes of mails in the quiet hours of their user: `delay` sends them at the end, `drop` never. */
export const QUIET_CHOICES = ['delay', 'drop'] as const
export type QuietChoice = (typeof QUIET_CHOICES)[number]
