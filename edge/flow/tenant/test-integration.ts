// Sends a test mail by one integration, and reports the provider's own answer.

import { randomBytes } from 'node:crypto'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { MailAddress, OutgoingMail, SendOutcome } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isAddress } from '../../lib/mail-address.ts'
import { openCredentials } from '../mail/open-credentials.ts'
import { getIntegration } from './manage-integrations.ts'

export type IntegrationTestAnswer =
  | { ok: true; providerMessageId: string | null }
  /** `error`: the provider's answer in words. */
  | { ok: false; error: string }

export type TestIntegration = ReturnType<typeof createTestIntegration>

export function createTestIntegration(
  deps: Pick<Core, 'mailIntegrations' | 'mailProviders' | 'open' | 'clock'> & {
    /** The sender where the integration names none; null: there is none. */
    defaultFrom: MailAddress | null
  },
) {
  const { mailIntegrations, defaultFrom, clock } = deps

  async function send(mail: OutgoingMail, of: Awaited<ReturnType<typeof getIntegration>>): Promise<SendOutcome> {
    const opened = await openCredentials(deps, of)
    if (opened === undefined) return { outcome: 'unavailable', error: 'This server does not have this provider.' }
    const sender = opened.provider.createSender(opened.credentials)
    try {
      return await sender.send(mail)
    } finally {
      await sender.close()
    }
  }

  /** Throws `email-integration/not-found`; `request/invalid-body` without a valid recipient or a sender. */
  return async function testIntegration(
    environment: Pick<Environment, 'id' | 'name'>,
    id: string,
    to: string | undefined,
  ): Promise<IntegrationTestAnswer> {
    const integration = await getIntegration(mailIntegrations, environment.id, id)
    if (to === undefined) throw invalid('to', 'This is missing.')
    if (!isAddress(to)) throw invalid('to', 'This is no e-mail address.')
    const from = integration.from ?? defaultFrom
    if (from === null) throw invalid('from', 'The integration names no sender, and EMAIL_FROM is not set.')
    const result = await send(composeTest(environment.name, from, to), integration)
    const at = clock.now()
    if (result.outcome === 'accepted') {
      await mailIntegrations.recordHealth(environment.id, integration.id, { lastSentAt: at })
      return { ok: true, providerMessageId: result.providerMessageId }
    }
    await mailIntegrations.recordHealth(environment.id, integration.id, { lastErrorAt: at, lastError: result.error })
    return { ok: false, error: result.error }
  }
}

/** @returns The mail. Its id is that of no message, so that no report about it matches one. */
function composeTest(environment: string, from: MailAddress, to: string): OutgoingMail {
  const messageId = `test_${randomBytes(8).toString('hex')}`
  const name = environment.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const sentence = `This mail was sent to test the mail settings of ${name}. There is nothing to do.`
  return {
    messageId,
    idempotencyKey: messageId,
    from,
    to: { name: null, address: to },
    replyTo: null,
    subject: `Test from ${name}`,
    html: `<!doctype html><html lang="en"><body><p>${escapeHtml(sentence)}</p></body></html>`,
    text: `${sentence}\n`,
    headers: {},
    tracking: { opens: false, clicks: false },
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { message, details: [{ path, message }] })
}
