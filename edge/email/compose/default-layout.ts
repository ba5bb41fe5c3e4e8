// The layout of mails whose notification config has none: one column, light and dark, with the reason and the way out below.

/** Words of the footer, by language. */
const WORDS: Record<string, { why: string; stop: string; dir?: 'rtl' }> = {
  en: { why: 'You get this mail because of your settings for notifications.', stop: 'Unsubscribe' },
  de: { why: 'Sie erhalten diese E-Mail aufgrund Ihrer Einstellungen für Benachrichtigungen.', stop: 'Abbestellen' },
  fr: { why: 'Vous recevez cet e-mail en raison de vos préférences de notification.', stop: 'Se désabonner' },
  es: { why: 'Recibes este correo por tus preferencias de notificaciones.', stop: 'Cancelar suscripción' },
  it: { why: 'Ricevi questa e-mail in base alle tue preferenze di notifica.', stop: 'Annulla iscrizione' },
  nl: { why: 'Je ontvangt deze e-mail vanwege je meldingsinstellingen.', stop: 'Afmelden' },
  pt: { why: 'Você recebe este e-mail por causa das suas preferências de notificação.', stop: 'Cancelar inscrição' },
  pl: { why: 'Otrzymujesz tę wiadomość zgodnie ze swoimi ustawieniami powiadomień.', stop: 'Wypisz się' },
  sv: { why: 'Du får det här mejlet på grund av dina aviseringsinställningar.', stop: 'Avsluta prenumerationen' },
  ja: { why: '通知の設定に基づいてこのメールをお送りしています。', stop: '配信停止' },
  ar: { why: 'تصلك هذه الرسالة بسبب إعدادات الإشعارات الخاصة بك.', stop: 'إلغاء الاشتراك', dir: 'rtl' },
  he: { why: 'קיבלת את ההודעה הזו בשל הגדרות ההתראות שלך.', stop: 'הסרה מרשימת התפוצה', dir: 'rtl' },
}

export function footerWords(locale: string | null) {
  const language = (locale ?? 'en').toLowerCase().split(/[-_]/)[0] ?? 'en'
  const lang = Object.hasOwn(WORDS, language) ? language : 'en'
  return { lang, dir: 'ltr' as 'ltr' | 'rtl', ...(WORDS[lang] as (typeof WORDS)[string]) }
}

export interface LayoutParts {
  /** HTML. */
  content: string
  /** Text, escaped here. */
  subject: string
  preheader: string | null
  senderName: string | null
  /** Null: nobody can turn it off. */
  unsubscribeUrl: string | null
  locale: string | null
}

export function renderDefaultLayout(parts: LayoutParts): string {
  const { lang, dir, why, stop } = footerWords(parts.locale)
  const { content, preheader, senderName, unsubscribeUrl } = parts
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(parts.subject)}</title>
<style>${STYLES}</style>
</head>
<body>
${preheaderOf(preheader)}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0">
${senderName === null ? '' : `<tr><td class="sender">${escapeHtml(senderName)}</td></tr>\n`}<tr><td class="content">${content}</td></tr>
</table>
<table role="presentation" class="foot" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td>${unsubscribeUrl === null ? '' : `${why} <a href="${escapeHtml(unsubscribeUrl)}">${stop}</a>`}</td></tr></table>
</td></tr></table>
</body>
</html>`
}

/** Shown by mail programs beside the subject, and nowhere in the mail. */
export function preheaderOf(preheader: string | null): string {
  if (preheader === null || preheader === '') return ''
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>\n`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

const FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const STYLES = `
body { margin: 0; padding: 0; background: #f3f4f6; color: #1c1f24; font-family: ${FONT}; font-size: 16px; line-height: 1.55; -webkit-text-size-adjust: 100% }
.page { background: #f3f4f6 }
.page > tbody > tr > td { padding: 32px 12px }
.sheet { max-width: 600px; background: #ffffff; border-radius: 14px }
.sender { padding: 28px 36px 0; font-size: 14px; font-weight: 600; color: #5b616b }
.content { padding: 24px 36px 36px; overflow-wrap: anywhere }
.content h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.3; letter-spacing: -.01em }
.content h2 { margin: 28px 0 12px; font-size: 19px; line-height: 1.35 }
.content h3 { margin: 24px 0 8px; font-size: 16px }
.content p, .content ul, .content ol { margin: 0 0 16px }
.content li { margin: 0 0 6px }
.content > :last-child { margin-bottom: 0 }
.content a { color: #2f5fe0 }
.content img { max-width: 100%; height: auto; border: 0; border-radius: 8px }
.content blockquote { margin: 0 0 16px; padding: 2px 0 2px 16px; border-left: 3px solid #d5d9e0; color: #5b616b }
.content code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px; background: #f3f4f6; border-radius: 4px; padding: 1px 4px }
.content pre { margin: 0 0 16px; padding: 12px 14px; background: #f3f4f6; border-radius: 8px; white-space: pre-wrap }
.content hr { margin: 24px 0; border: 0; border-top: 1px solid #e4e7ec }
.content table { border-collapse: collapse; margin: 0 0 16px }
.content th, .content td { padding: 6px 12px 6px 0; text-align: left; border-bottom: 1px solid #e4e7ec }
.foot { max-width: 600px }
.foot td { padding: 20px 36px 8px; font-size: 13px; color: #6b717b }
.foot a { color: #6b717b }
@media (max-width: 480px) {
  .sender { padding: 22px 20px 0 !important }
  .content { padding: 18px 20px 26px !important }
  .foot td { padding: 16px 20px 8px !important }
}
@media (prefers-color-scheme: dark) {
  body, .page { background: #14161a !important; color: #e7e9ed !important }
  .sheet { background: #1e2126 !important }
  .content, .content h1, .content h2, .content h3 { color: #e7e9ed !important }
  .sender, .foot td, .foot a, .content blockquote { color: #a2a8b3 !important }
  .content a { color: #8fb0ff !important }
  .content code, .content pre { background: #2a2e35 !important }
  .content hr, .content th, .content td, .content blockquote { border-color: #383d46 !important }
}
`
