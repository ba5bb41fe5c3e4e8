// Describes single sign-on of an organisation by its OpenID Connect provider.

import { z } from 'zod'
import { NEW_MEMBER_ROLES } from '../role.ts'

const ISSUER_RULE = 'An https address without query, such as https://login.example.com.'

/** As given, because it must equal that of the tokens. */
const issuer = z
  .string()
  .min(1, { abort: true })
  .max(500, { abort: true })
  .refine(isIssuer, ISSUER_RULE)
  .meta({ format: 'uri', pattern: '^https?://[^?#]+$' })

export const MAX_SIGN_ON_DOMAINS = 20

/** Whether it is one, the server tells; it also takes spaces around it. */
const domain = z.string().min(1).max(253).meta({ format: 'hostname', pattern: '\\.[A-Za-z]', example: 'example.com' })

export const singleSignOnSettings = z
  .object({
    issuer,
    clientId: z
      .string()
      .min(1)
      .max(500)
      .refine((text) => text.trim() === text, 'This begins or ends with a space.')
      .meta({ pattern: '^\\S(.*\\S)?$' }),
    /** Absent: the stored one stays. */
    clientSecret: z.string().min(1).max(2000).optional(),
    domains: z.array(domain).min(1).max(MAX_SIGN_ON_DOMAINS),
    newMemberRole: z.enum(NEW_MEMBER_ROLES).nullable().default(null),
  })
  .meta({ id: 'SingleSignOnSettings' })

export const domainToProve = z.object({ domain }).meta({ id: 'DomainToProve' })

/** Whether a domain is proved, and the TXT record that proves it. */
const domainProof = z.object({
  domain: z.string(),
  record: z.object({ name: z.string(), value: z.string() }),
  provedBy: z.enum(['dns', 'operator']).nullable(),
  provedAt: z.iso.datetime().nullable(),
  /** Since when a daily check misses the record. */
  missingSince: z.iso.datetime().nullable(),
})

export const singleSignOn = z
  .object({
    issuer: z.string(),
    clientId: z.string(),
    domains: z.array(z.string()),
    domainProofs: z.array(domainProof),
    newMemberRole: z.enum(NEW_MEMBER_ROLES).nullable(),
    /** To register at the provider. */
    redirectUri: z.string(),
    /** Where a browser begins. */
    startUrl: z.string(),
    updatedAt: z.iso.datetime(),
    revision: z.number().int(),
  })
  .meta({ id: 'SingleSignOn' })

/** What a person is asked before a provider signs in. */
export const signOnQuestion = z
  .object({
    ask: z.enum(['continue', 'accept']),
    organisation: z.object({ id: z.string(), name: z.string() }),
    /** The person of the provider's answer. */
    email: z.string(),
    /** The person who is signed in in this browser. */
    signedInAs: z.string().nullable(),
    /** False while the person has to sign in by own means first. */
    mayAnswer: z.boolean(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SignOnQuestion' })

export type SingleSignOnSettings = z.output<typeof singleSignOnSettings>
export type SingleSignOnAnswer = z.output<typeof singleSignOn>
export type DomainProof = z.output<typeof domainProof>
export type SignOnQuestionAnswer = z.output<typeof signOnQuestion>

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '' && !/\s/.test(text)
}
