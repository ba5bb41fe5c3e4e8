// Provides layouts to begin with: the standard one as a template, and one in MJML.

import { footerOf, renderDefaultLayout } from './compose/default-layout.ts'

/** @returns the standard layout in English, as Liquid that prints the same mail */
export function startingHtml(): string {
  const own = { unsubscribeUrl: '{{ unsubscribeUrl }}', preferencesUrl: '{{ preferencesUrl }}' }
  const html = renderDefaultLayout({
    content: '{{ content }}',
    subject: '{{ subject }}',
    preheader: '{{ preheader }}',
    senderName: '{{ senderName }}',
    own,
    locale: null,
  })
  const footer = footerOf({ locale: null, own })
  const always = footerOf({ locale: null, own: null })
  return html
    .replace(/<div[^>]*>\{\{ preheader \}\}.*<\/div>\n/, (part) =>
      when(
        'preheader',
        part.replace(/(?:&#847;&zwnj;&nbsp;)+/, '{% for _ in (1..60) %}&#847;&zwnj;&nbsp;{% endfor %}'),
      ),
    )
    .replace(/<tr><td class="sender">.*\n/, (part) =>
      when('senderName', part.replace('>{</td>', '>{{ senderName | slice: 0 | upcase }}</td>')),
    )
    .replace(footer, `{% if unsubscribeUrl != "" %}${footer}{% else %}${always}{% endif %}`)
}

/** Printed where the value is not empty. */
const when = (name: string, part: string) => `{% if ${name} != "" %}${part}{% endif %}`

/** Without fonts that MJML knows, such as Roboto: it loads those from elsewhere. */
export const STARTING_MJML = `<mjml>
  <mj-head>
    <mj-title>{{ subject }}</mj-title>
    <mj-preview>{{ preheader }}</mj-preview>
    <mj-attributes>
      <mj-all font-family="-apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.6" color="#1c1f24" padding="0" />
    </mj-attributes>
    <mj-raw>
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
    </mj-raw>
    <mj-style>
      .content h1 { margin: 0 0 16px; font-size: 26px; line-height: 1.25 }
      .content h2 { margin: 28px 0 12px; font-size: 20px; line-height: 1.35 }
      .content p, .content ul, .content ol, .content blockquote { margin: 0 0 16px }
      .content a { color: #2f5fe0 }
      .content .button a { display: inline-block; padding: 12px 24px; border-radius: 10px; background: #2f5fe0; color: #ffffff; font-weight: 600; text-decoration: none }
      .content .grid { width: 100%; margin: 0 0 20px; border-collapse: collapse }
      .content .grid th, .content .grid td { padding: 8px 12px 8px 0; text-align: left; border-bottom: 1px solid #e4e7ec }
      .content blockquote { padding-left: 16px; border-left: 3px solid #d5d9e0 }
      @media (prefers-color-scheme: dark) {
        body, .page { background: #121417 !important }
        .sheet, .sheet > table { background: #1d2025 !important }
        .content div, .name div { color: #e8eaee !important }
        .foot div, .foot a { color: #9ea5b1 !important }
        .content a { color: #8fb0ff !important }
        .content .button a { color: #ffffff !important }
        .content .grid th, .content .grid td, .content blockquote { border-color: #383e47 !important }
      }
    </mj-style>
  </mj-head>
  <mj-body background-color="#f4f5f7" css-class="page">
    <mj-section padding="32px 16px 12px">
      <mj-column>
        <mj-text css-class="name" font-size="15px" font-weight="600">{{ senderName }}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" border-radius="14px" padding="36px 24px 20px" css-class="sheet">
      <mj-column>
        <mj-text css-class="content">{{ content }}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section padding="16px 24px 40px">
      <mj-column>
        <mj-text css-class="foot" font-size="13px" color="#656c77">
          {% if unsubscribeUrl != "" %}<a href="{{ unsubscribeUrl }}" style="color: #656c77">Unsubscribe</a> · <a href="{{ preferencesUrl }}" style="color: #656c77">Preferences</a>{% endif %}
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
