// Composes a mail: content in its layout, styles inlined, own links and pixel, a text part, and the headers for unsubscribing.

import type { MailParts } from '../../../contract/resources/mail.ts'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { ComposeInput, MailComposer } from '../../domain/mail/compose-mail.ts'
import type { MailLinks, OwnLinks } from '../../domain/mail/mail-links.ts'
import { headerText } from '../../lib/header-text.ts'
import { formatId } from '../../lib/id.ts'
import { completePage } from './complete-page.ts'
import { toHtml, toText } from './content.ts'
import { footerOf, preheaderOf, renderDefaultLayout, wordsFor } from './default-layout.ts'
import { inlineStyles } from './inline-styles.ts'
import { followable, rewriteAddresses } from './links.ts'
import { locateFaults } from './locate-faults.ts'
import { putOwnLinks } from './own-links.ts'
import { languageOf, withLanguage } from './page-language.ts'
import { removeUnsafe } from './remove-unsafe.ts'

export interface ComposerDeps {
  /** Paths in links begin there, where the mail names no site. */
  publicUrl(): string
  links: MailLinks
  /** Renders a config's layout around the content. @throws TemplateError also when the mail gets too long */
  renderLayout(look: LayoutOfLook, values: LayoutValues): string
}

export type LayoutOfLook = Pick<EmailLook, 'layoutFormat'> & { layout: string }

/** What a layout may print. `content` is HTML, all others are text. */
export interface LayoutValues {
  content: string
  subject: string
  preheader: string
  senderName: string
  unsubscribeUrl: string
  preferencesUrl: string
}

const TRACKS_ALL = { opens: true, clicks: true }

export function createMailComposer(deps: ComposerDeps): MailComposer {
  return {
    async compose(input) {
      const { messageId, content, look, to } = input
      const stored = (content as { email?: MailParts }).email
      if (stored === undefined) throw new Error('mail not composed: the message has no mail content')
      // Those of an older release may contain more.
      const subject = headerText(stored.subject)
      const preheader = stored.preheader === null ? null : headerText(stored.preheader)
      const own = ownLinksOf(deps.links, input)
      const email = putOwnLinks({ ...stored, subject, preheader }, own)
      const { senderName = null, senderAddress = null } = look ?? {}
      const from = { ...input.from, name: cleanName(email.from?.name ?? senderName ?? input.from.name) }
      from.address = email.from?.address ?? senderAddress ?? from.address
      const site = input.links.siteUrl ?? deps.publicUrl()
      const body = rewriteAddresses(toHtml(email, input.links.appSchemes), site)
      const laidOut = layOut(deps, input, body, { email, senderName: from.name, own })
      const safe = removeUnsafe(laidOut, input.links.appSchemes)
      const styled = inlineStyles(safe.html)
      const faults = [...safe.faults, ...styled.faults]
      const tracking = look?.tracking ?? TRACKS_ALL
      const id = formatId('message', messageId)
      return {
        messageId: id,
        idempotencyKey: id,
        from,
        to: { ...to, name: cleanName(to.name) },
        replyTo: email.replyTo ?? look?.replyTo ?? null,
        subject,
        preheader,
        html: track(deps.links, input, styled.html, { ...tracking, own, site }),
        text: withTextFooter(email.text ?? toText(body, email.html === null ? 'markdown' : 'html'), input, own),
        headers: { ...email.headers, ...headersOf(own, messageId) },
        tracking,
        warnings: locateFaults(faults, { html: safe.html, content: body, layout: look?.layout ?? null }),
      }
    },
  }
}

const cleanName = (name: string | null) => (name === null ? null : headerText(name))

/** Null for a critical category, which nobody can turn off. */
function ownLinksOf(links: MailLinks, { messageId, environmentId, isCritical }: ComposeInput): OwnLinks | null {
  if (isCritical) return null
  if (messageId === 0) return { unsubscribeUrl: '#', preferencesUrl: '#' }
  const mail = { environmentId, messageId }
  return { unsubscribeUrl: links.unsubscribe(mail), preferencesUrl: links.preferences(mail) }
}

interface Frame {
  email: MailParts
  senderName: string | null
  own: OwnLinks | null
}

function layOut(
  { renderLayout }: ComposerDeps,
  { look, locale }: ComposeInput,
  content: string,
  { email, senderName, own }: Frame,
): string {
  const { subject, preheader } = email
  const lang = languageOf(email, locale)
  if (look == null || look.layout === null) {
    if (isDocument(content)) {
      const page = withLanguage(completePage(content), lang)
      return withFooter(withPreheader(page, preheader), footerOf({ locale, own, look }))
    }
    const page = renderDefaultLayout({ content, subject, preheader, senderName, own, locale, look })
    return withLanguage(page, lang ?? wordsFor(locale).lang)
  }
  const { layout, layoutFormat } = look
  const values = {
    content,
    subject,
    preheader: preheader ?? '',
    senderName: senderName ?? '',
    unsubscribeUrl: own?.unsubscribeUrl ?? '',
    preferencesUrl: own?.preferencesUrl ?? '',
  }
  const html = withLanguage(completePage(renderLayout({ layout, layoutFormat }, values)), lang)
  return /\{\{-?\s*preheader\b/.test(layout) ? html : withPreheader(html, preheader)
}

/** HTML that is a whole page brings its own look. */
const isDocument = (html: string) => /^\s*(?:<!doctype\b|<html\b)/i.test(html)

function withFooter(html: string, footer: string): string {
  const style = 'margin:24px auto;max-width:600px;padding:0 16px;font:13px/1.5 Arial,sans-serif;color:#6b717b'
  return beforeEnd(html, `<div style="${style}">${footer.replaceAll('<a ', '<a style="color:#6b717b" ')}</div>`)
}

function beforeEnd(html: string, part: string): string {
  const end = Math.max(html.lastIndexOf('</body>'), html.lastIndexOf('</BODY>'))
  return end < 0 ? html + part : html.slice(0, end) + part + html.slice(end)
}

function withPreheader(html: string, preheader: string | null): string {
  const hidden = preheaderOf(preheader)
  const body = /<body\b[^<>]*>/i.exec(html)
  if (body === null) return hidden + html
  const end = body.index + body[0].length
  return html.slice(0, end) + hidden + html.slice(end)
}

interface Tracking {
  opens: boolean
  clicks: boolean
  own: OwnLinks | null
  site: string
}

/** Makes addresses absolute, and adds what tracks the mail. */
function track(
  links: MailLinks,
  { tracksItself, messageId, environmentId }: ComposeInput,
  html: string,
  { opens, clicks, own, site }: Tracking,
): string {
  if (messageId === 0) return rewriteAddresses(html, site)
  if (!tracksItself) return rewriteAddresses(html, site, { marksUntracked: clicks })
  const mail = { environmentId, messageId }
  const follow = (link: string) => {
    const isOwn = link === own?.unsubscribeUrl || link === own?.preferencesUrl
    const target = isOwn ? null : followable(link)
    return target === null ? link : links.click(mail, target)
  }
  const clicked = rewriteAddresses(html, site, { follow: clicks ? follow : undefined })
  if (!opens) return clicked
  const pixel = `<img src="${links.open(mail)}" width="1" height="1" alt="" style="display:block;border:0">`
  return beforeEnd(clicked, pixel)
}

/** The text part has its links as they are: a long signed address is no text that people read. */
function withTextFooter(text: string, { locale, messageId, look }: ComposeInput, own: OwnLinks | null): string {
  const address = look?.addressLine ? `${look.addressLine}\n` : ''
  if (own === null || messageId === 0) return address === '' ? text : `${text}\n\n--\n${address}`
  const { stop, preferences } = wordsFor(locale).words.footer
  return `${text}\n\n--\n${stop}: ${own.unsubscribeUrl}\n${preferences}: ${own.preferencesUrl}\n${address}`
}

/** One click unsubscribes (RFC 8058), and no program answers (RFC 3834). */
function headersOf(own: OwnLinks | null, messageId: number): Record<string, string> {
  const automatic = { 'Auto-Submitted': 'auto-generated' }
  if (own === null || messageId === 0) return automatic
  return {
    ...automatic,
    'List-Unsubscribe': `<${own.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
