// Describes how well-known senders sign, so that a source for one is made by its name. Each has the page that says so.

import type { HmacSettings } from './resources/hmac-settings.ts'
import type { SourceMapping } from './resources/source-mapping.ts'

export const RECIPE_NAMES = [
  'github',
  'clerk',
  'supabase',
  'shopify',
  'workos',
  'paddle',
  'chargebee',
  'calendly',
] as const
export type RecipeName = (typeof RECIPE_NAMES)[number]

export interface SourceRecipe {
  title: string
  provider: 'hmac' | 'standardwebhooks'
  /** Of `hmac`. */
  settings?: HmacSettings
  /** Where the secret is. */
  secretHelp: string
  /** Where its users and profiles are, as far as its page says so. */
  mappings?: SourceMapping[]
  /** What its types look like. */
  exampleType: string
  /** The pages of the sender that have these facts. */
  pages: readonly string[]
}

const SHA256 = { algorithm: 'sha256', encoding: 'hex' } as const
const own = (providerEvent: string, more: Partial<SourceMapping> = {}): SourceMapping => {
  return { providerEvent, event: null, userIdPath: null, propertiesPath: null, ...more }
}

export const SOURCE_RECIPES: Readonly<Record<RecipeName, SourceRecipe>> = {
  github: {
    title: 'GitHub',
    provider: 'hmac',
    settings: {
      ...SHA256,
      header: 'X-Hub-Signature-256',
      prefix: 'sha256=',
      signedString: 'body',
      idPath: 'header:X-GitHub-Delivery',
      typePath: 'header:X-GitHub-Event',
    },
    secretHelp: 'The text that you enter as “Secret” of the webhook, whose content type is application/json.',
    exampleType: 'pull_request',
    pages: [
      'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
      'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
    ],
  },
  clerk: {
    title: 'Clerk',
    provider: 'standardwebhooks',
    secretHelp: 'In the Clerk Dashboard: Webhooks, your endpoint, “Signing Secret” (whsec_…).',
    mappings: ['user.created', 'user.updated', 'user.deleted'].map((type) => own(type, { userIdPath: 'data.id' })),
    exampleType: 'user.created',
    pages: ['https://clerk.com/docs/core-1/integrations/webhooks/overview'],
  },
  supabase: {
    title: 'Supabase',
    provider: 'standardwebhooks',
    secretHelp: 'In the dashboard of Supabase: Authentication, Hooks, the secret of the hook (v1,whsec_…).',
    mappings: [own('before-user-created', { userIdPath: 'user.id' })],
    exampleType: 'before-user-created',
    pages: ['https://supabase.com/docs/guides/auth/auth-hooks/before-user-created-hook'],
  },
  shopify: {
    title: 'Shopify',
    provider: 'hmac',
    settings: {
      ...SHA256,
      header: 'X-Shopify-Hmac-Sha256',
      encoding: 'base64',
      signedString: 'body',
      idPath: 'header:X-Shopify-Event-Id',
      typePath: 'header:X-Shopify-Topic',
    },
    secretHelp: 'The client secret of your app.',
    exampleType: 'orders/create',
    pages: [
      'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
      'https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates',
    ],
  },
  workos: {
    title: 'WorkOS',
    provider: 'hmac',
    settings: {
      ...SHA256,
      header: 'WorkOS-Signature',
      prefix: 'v1=',
      timestampPrefix: 't=',
      signedString: 'timestamp.body',
      idPath: 'id',
      typePath: 'event',
    },
    secretHelp: 'In the WorkOS Dashboard: Webhooks, your endpoint, its secret.',
    exampleType: 'user.created',
    pages: ['https://workos.com/docs/events/data-syncing/webhooks'],
  },
  paddle: {
    title: 'Paddle',
    provider: 'hmac',
    settings: {
      ...SHA256,
      header: 'Paddle-Signature',
      prefix: 'h1=',
      timestampPrefix: 'ts=',
      signedString: 'timestamp:body',
      idPath: 'event_id',
      typePath: 'event_type',
    },
    secretHelp: 'In Paddle: Developer tools, Notifications, the secret key of your destination (pdl_ntfset_…).',
    exampleType: 'transaction.completed',
    pages: ['https://developer.paddle.com/webhooks/about/signature-verification'],
  },
  chargebee: {
    title: 'Chargebee',
    provider: 'hmac',
    // Chargebee signs nothing: it sends the credentials of its webhook.
    settings: {
      header: 'Authorization',
      algorithm: 'basic',
      encoding: 'base64',
      prefix: 'Basic ',
      signedString: 'body',
      idPath: 'id',
      typePath: 'event_type',
    },
    secretHelp: 'User name and password of the webhook’s Basic Authentication, with a colon between: user:password.',
    exampleType: 'subscription_created',
    pages: [
      'https://www.chargebee.com/docs/2.0/webhook_settings.html',
      'https://apidocs.chargebee.com/docs/api/events',
    ],
  },
  calendly: {
    title: 'Calendly',
    provider: 'hmac',
    settings: {
      ...SHA256,
      header: 'Calendly-Webhook-Signature',
      prefix: 'v1=',
      timestampPrefix: 't=',
      signedString: 'timestamp.body',
      // Calendly names none: an invitee has one address, when it is created and when it is cancelled. So it is the hash.
      idPath: 'id',
      typePath: 'event',
    },
    secretHelp: 'The signing_key that you set when you create the webhook subscription.',
    exampleType: 'invitee.created',
    pages: ['https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures'],
  },
}

/** @returns What a new source of this recipe has, beside its name and its secret. */
export function sourceOfRecipe(name: RecipeName): Pick<SourceRecipe, 'provider' | 'settings' | 'mappings'> {
  const { provider, settings, mappings } = SOURCE_RECIPES[name]
  return { provider, ...(settings && { settings }), ...(mappings && { mappings }) }
}
