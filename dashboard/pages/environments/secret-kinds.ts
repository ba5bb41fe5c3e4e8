// Describes the kinds of secrets for people: their names, their use, and the callers that fail without them.

import type { SecretKind } from '../../../contract/tenant.ts'

/** A kind of an environment's secrets, or the secret of a source. */
export type ShownKind = SecretKind | 'verificationSecret'

export interface SecretWords {
  name: string
  use: string
  /** Follows "At once, " when all values but the new one end. */
  failing: string
  /** Whether its live values may be shown again. */
  isReadable: boolean
}

export const SECRETS: Readonly<Record<ShownKind, SecretWords>> = {
  sdkSecretKey: {
    name: 'SDK secret key',
    use: 'Your backend tracks events and manages campaigns with it.',
    failing: 'calls of every backend with the old key are refused, also those in progress. Their events are lost.',
    isReadable: false,
  },
  authSecretKey: {
    name: 'Auth secret key',
    use: 'Your backend signs the tokens of its users with it.',
    failing: 'tokens that were signed with the old key are refused, and the widget sessions that they opened end.',
    isReadable: true,
  },
  frontApiKey: {
    name: 'Front API key',
    use: 'Your pages name the environment with it. It is public.',
    failing: 'pages with the old key show no notifications, and their widget sessions end.',
    isReadable: true,
  },
  webhookSigningSecret: {
    name: 'Enricher signing secret',
    use: 'Calls of your enrichers are signed with it.',
    failing: 'enrichers that verify with the old secret refuse the calls of this service.',
    isReadable: true,
  },
  verificationSecret: {
    name: 'Webhook signing secret',
    use: 'The platform signs its deliveries to this source with it.',
    failing: 'deliveries that are signed with the old secret are refused, and the platform has to send them again.',
    isReadable: true,
  },
}
