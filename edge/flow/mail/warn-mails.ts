// Composes the mails of a campaign or a layout before there is any data, to say what their authors should know.

import type { MailParts, MailWarning } from '../../../contract/resources/mail.ts'
import { emptyContent } from '../../campaign/message.ts'
import type { Core } from '../../domain/core.ts'
import { frameOf, type MailFrame } from '../../domain/mail/mail-frame.ts'
import { parseId } from '../../lib/id.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import { composePreview, listWarnings } from './compose-preview.ts'

/** Lists what the authors of a definition's mails should know. A busy service says nothing. */
export type WarnMails = (
  environmentId: number,
  definition: { notificationConfigId?: string | null },
) => Promise<MailWarning[]>

interface MailOfStep {
  path: string
  html: string
}

export function createWarnMails({
  compose,
  configs,
  live,
}: Pick<Core, 'compose' | 'configs'> & {
  live: Pick<LiveCampaigns, 'load'>
}): WarnMails {
  async function warnOne(environmentId: number, frame: MailFrame, { path, html }: MailOfStep) {
    const email: MailParts = { ...EMPTY, html: withoutLiquid(html) }
    const of = { environmentId, userId: '', isCritical: false, locale: null }
    const mail = {
      ...of,
      content: { ...emptyContent(null), email },
      ...frame,
      from: { name: null, address: 'a@a.invalid' },
    }
    return listWarnings(
      () => composePreview(compose, mail),
      path,
      (of) => (of === 'html' ? `${path}.html` : of),
    )
  }

  return async function warnMails(environmentId, definition) {
    const mails = listMails(definition)
    if (mails.length === 0) return []
    const configId = parseId('notificationConfig', definition.notificationConfigId ?? '')
    const set = await live.load(environmentId)
    const frame = configId === undefined ? set.mailFrameOf(null) : frameOf(await configs.find(configId), set.links)
    const found: MailWarning[] = []
    for (const mail of mails) found.push(...(await warnOne(environmentId, frame, mail)))
    return unique(found)
  }
}

const EMPTY: MailParts = { subject: 'x', preheader: null, html: null, markdown: null, text: null, to: null }

/** Of a definition, wherever its steps are. */
function listMails(value: unknown, path = ''): MailOfStep[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, html, locales } = value as { type?: unknown; html?: unknown; locales?: unknown }
  if (type === 'email') {
    const own = typeof html === 'string' ? [{ path, html }] : []
    return [...own, ...listLocales(locales, `${path}.locales`)]
  }
  if (Array.isArray(value)) return value.flatMap((inner, place) => listMails(inner, `${path}[${place}]`))
  return Object.entries(value).flatMap(([key, inner]) => listMails(inner, path === '' ? key : `${path}.${key}`))
}

function listLocales(locales: unknown, path: string): MailOfStep[] {
  return Object.entries(locales ?? {}).flatMap(([locale, texts]) =>
    typeof texts?.html === 'string' ? [{ path: `${path}.${locale}`, html: texts.html }] : [],
  )
}

/** @returns HTML in which lines stay where they are. What a value prints into a style is not known, so such a style is left out. */
export function withoutLiquid(html: string): string {
  return (
    html
      // Each expression ends at the end of the text at the latest. Else thousands of beginnings without an end would each
      // read all the rest.
      .replace(/\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi, (style) =>
        /\{[{%]/.test(style) ? lineBreaksOf(style) || ' ' : style,
      )
      .replace(/\{\{[\s\S]*?(?:\}\}|$)/g, (output) => `x${lineBreaksOf(output)}`)
      .replace(/\{%[\s\S]*?(?:%\}|$)/g, lineBreaksOf)
  )
}

const lineBreaksOf = (text: string) => text.replace(/[^\n]/g, '')

/** A layout is said once, for all mails in it. */
function unique(warnings: MailWarning[]): MailWarning[] {
  return [...new Map(warnings.map((one) => [JSON.stringify(one), one])).values()]
}
