// The layout of mails whose notification config has none: one column, light and dark, with the reason and the way out below.

import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { OwnLinks } from '../../domain/mail/mail-links.ts'
import { fallbackTags } from '../../domain/tenant/locale-tags.ts'
import { chooseWords } from '../../locales/languages.ts'
import { type Accent, accentOf, DARK_SHEET } from './accent.ts'
import { escapeHtml } from './links.ts'

export interface LayoutParts {
  /** HTML. */
  content: string
  /** Text, escaped here. */
  subject: string
  preheader: string | null
  senderName: string | null
  /** Null: nobody can turn it off. */
  own: OwnLinks | null
  locale: string | null
  /** Of the config; undefined: the standard one. */
  look?: Pick<EmailLook, 'logoUrl' | 'accentColor' | 'addressLine'> | undefined
}

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
/** Outlook for Windows knows no widest width, and takes a table for it. */
const OUTLOOK_BEGIN =
  '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->'
const OUTLOOK_END = '<!--[if mso]></td></tr></table><![endif]-->'

/** Without the language of its content, which stands on pages of authors as well. */
export function renderDefaultLayout(parts: LayoutParts): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(parts.subject)}</title>
<style>${stylesOf(accentOf(parts.look?.accentColor ?? null))}</style>
</head>
<body>
${preheaderOf(parts.preheader)}<table class="page" ${TABLE}><tr><td class="around" align="center">
${OUTLOOK_BEGIN}
<table class="column" ${TABLE}>
${parts.look?.logoUrl ? logoOf(parts.look.logoUrl, parts.senderName) : senderOf(parts.senderName)}<tr><td class="sheet"><div class="content">
${parts.content}
</div></td></tr>
<tr><td class="foot">${footerOf(parts)}</td></tr>
</table>
${OUTLOOK_END}
</td></tr></table>
</body>
</html>`
}

/** Shown by mail programs beside the subject, and nowhere in the mail. Invisible characters keep the text behind it away. */
export function preheaderOf(preheader: string | null): string {
  if (preheader === null || preheader === '') return ''
  const hidden =
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all'
  return `<div style="${hidden}">${escapeHtml(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>\n`
}

/** Those below a mail, in the language of the locale, else in English. */
export const wordsFor = (locale: string | null) => chooseWords(fallbackTags(locale ?? ''))

export function footerOf({ locale, own, look }: Pick<LayoutParts, 'locale' | 'own' | 'look'>): string {
  const { why, stop, preferences, always } = wordsFor(locale).words.footer
  const address = look?.addressLine ? `<br>${escapeHtml(look.addressLine)}` : ''
  if (own === null) return always + address
  const link = (url: string, words: string) => `<a href="${escapeHtml(url)}">${words}</a>`
  return `${why} ${link(own.unsubscribeUrl, stop)} · ${link(own.preferencesUrl, preferences)}${address}`
}

/** A picture is there where the sender is named; programs that load none show the name. */
function logoOf(url: string, name: string | null): string {
  return `<tr><td class="sender"><img class="logo" src="${escapeHtml(url)}" height="36" alt="${escapeHtml(name ?? '')}"></td></tr>\n`
}

const letters = new Intl.Segmenter()

/** The name behind a tile with its first letter. */
function senderOf(name: string | null): string {
  const initial = [...letters.segment(name?.trim().slice(0, 20) ?? '')][0]?.segment.toUpperCase()
  if (name === null || initial === undefined) return ''
  return `<tr><td class="sender"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="tile" width="28" height="28" align="center" aria-hidden="true">${escapeHtml(initial)}</td><td class="name">${escapeHtml(name)}</td></tr></table></td></tr>\n`
}

const FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
/** Colours that the author of the content chose stay in dark mode: only links in our own colour change. */
const stylesOf = ({ base, onBase, link, darkLink }: Accent) => `
body { margin: 0; padding: 0; background: #f4f5f7; color: #1c1f24; font-family: ${FONT}; font-size: 16px; line-height: 1.6; -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
.page { background: #f4f5f7; table-layout: fixed }
.around { padding: 40px 16px 48px }
.column { max-width: 600px; table-layout: fixed }
.logo { display: block; height: 36px; width: auto; max-width: 240px; border: 0 }
.sender { padding: 0 4px 18px }
.tile { width: 28px; height: 28px; background: ${base}; border-radius: 8px; color: ${onBase}; font-size: 14px; font-weight: 700; line-height: 28px; text-align: center }
.name { padding: 0 12px; font-size: 15px; font-weight: 600; color: #3b414b }
.sheet { background: #ffffff; border: 1px solid #e4e7ec; border-radius: 14px; padding: 40px 44px 28px; font-size: 16px; line-height: 1.6; color: #1c1f24 }
.content { overflow-wrap: anywhere; overflow-x: auto }
.content table { overflow-wrap: normal }
.content h1 { margin: 0 0 16px; font-size: 26px; line-height: 1.25; letter-spacing: -.015em }
.content h2 { margin: 28px 0 12px; font-size: 20px; line-height: 1.35 }
.content h3 { margin: 24px 0 8px; font-size: 16px; line-height: 1.5 }
.content p { margin: 0 0 16px }
.content ul, .content ol { margin: 0 0 16px; padding-inline-start: 24px }
.content li { margin: 0 0 6px }
.content > :last-child { margin-bottom: 0 }
.content a { color: ${link} }
.content img { max-width: 100%; height: auto; border: 0; border-radius: 10px }
.content blockquote { margin: 0 0 16px; padding: 4px 16px; border-inline-start: 3px solid #d5d9e0; color: #565d68 }
.content blockquote p:last-child, .content li p:last-child { margin-bottom: 0 }
.content code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px; background: #f1f3f6; border-radius: 4px; padding: 2px 5px }
.content pre { margin: 0 0 16px; padding: 14px 16px; background: #f1f3f6; border-radius: 10px; white-space: pre-wrap; line-height: 1.5 }
.content pre code { background: none; padding: 0 }
.content hr { margin: 28px 0; border: 0; border-top: 1px solid #e4e7ec }
.content .grid { width: 100%; border-collapse: collapse; margin: 4px 0 20px; font-size: 15px }
.content .grid th { padding: 0 12px 8px 0; text-align: start; font-size: 13px; font-weight: 600; color: #565d68; border-bottom: 1px solid #d5d9e0 }
.content .grid td { padding: 10px 12px 10px 0; border-bottom: 1px solid #e4e7ec }
.content .grid th:last-child, .content .grid td:last-child { padding-right: 0 }
.content .button { margin: 8px 0 24px }
.content .button td { background: ${base}; border-radius: 10px; mso-padding-alt: 12px 24px }
.content .button a { display: inline-block; padding: 12px 24px; border-radius: 10px; color: ${onBase}; font-size: 16px; font-weight: 600; line-height: 1.4; text-decoration: none }
.foot { padding: 20px 44px 0; font-size: 13px; line-height: 1.55; color: #656c77 }
.foot a { color: #656c77 }
@media (max-width: 480px) {
  .around { padding: 20px 10px 32px !important }
  .sender { padding: 0 6px 14px !important }
  .sheet { padding: 28px 22px 16px !important }
  .content h1 { font-size: 23px !important }
  .foot { padding: 16px 22px 0 !important }
  .content .button, .content .button td, .content .button a { display: block !important; width: auto !important; text-align: center !important }
  .content .button tbody, .content .button tr { display: block !important }
}
@media (prefers-color-scheme: dark) {
  body, .page { background: #121417 !important; color: #e8eaee !important }
  .sheet { background: ${DARK_SHEET} !important; border-color: #2e333b !important; color: #e8eaee !important }
  .name { color: #c9ced6 !important }
  .foot, .foot a, .content blockquote, .content .grid th { color: #9ea5b1 !important }
  .content a[style^="color: ${link}"], .content a[style*=";color: ${link}"], .content a[style*="; color: ${link}"] { color: ${darkLink} !important }
  .content code, .content pre { background: #2a2e35 !important }
  .content pre code { background: none !important }
  .content hr, .content .grid th, .content .grid td, .content blockquote { border-color: #383e47 !important }
}
`
