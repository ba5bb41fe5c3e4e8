// Renders the pages behind links of mails: unsubscribing, and an address that is not ours.

import { html } from 'hono/html'
import type { MailSubscription, SubscriptionRow } from '../../flow/mail/follow-links.ts'
import { type Chosen, chooseWords } from '../../locales/languages.ts'
import type { EdgeWords, LinkWords } from '../../locales/words.ts'
import { type Markup, plainPage } from '../site/plain-page.ts'

/** Of an address that nobody here has signed. */
export function brokenLinkPage(acceptLanguage: string | undefined): Markup {
  const chosen = chooseWords(readAccepted(acceptLanguage))
  const words = chosen.words.links
  const [title, text] = words.broken
  return page(chosen, title, paragraph(text))
}

/** `asks`: nothing has changed yet; `off` and `on`: mail has just been turned off or on. */
export type PageState = 'asks' | 'off' | 'on'

export function subscriptionPage(
  found: MailSubscription,
  state: PageState,
  acceptLanguage: string | undefined,
): Markup {
  const chosen = chooseWords(readAccepted(acceptLanguage))
  const words = chosen.words.links
  if (typeof found === 'string') {
    const [title, text] = words[found]
    return page(chosen, title, paragraph(text))
  }
  const [one, all] = state === 'on' ? [words.more, words.moreOfAll] : [words.noMore, words.noMoreOfAll]
  const { category } = found
  const text = paragraph(category === null ? all : one.replace('{}', () => category))
  if (state === 'asks') return page(chosen, words.ask, html`${text}${form('?', words.stop, 'main')}`)
  if (state === 'off') return page(chosen, words.done, html`${text}${form('?again=1', words.again, 'quiet')}`)
  return page(chosen, words.back, text)
}

/** Each category with a button; `gone`: the message was removed. */
export function preferencesPage(found: SubscriptionRow[] | 'gone', acceptLanguage: string | undefined): Markup {
  const chosen = chooseWords(readAccepted(acceptLanguage))
  const words = chosen.words.links
  if (found === 'gone') return page(chosen, words.gone[0], paragraph(words.gone[1]))
  const rows = found.map((row) => {
    const name = row.key === '' ? words.others : row.name
    return html`<li><span>${name}</span>${row.critical ? html`<small>${words.always}</small>` : switchOf(row, words)}</li>`
  })
  return page(chosen, words.yours, html`<ul>${rows}</ul>`)
}

function switchOf({ key, isOn }: SubscriptionRow, words: LinkWords): Markup {
  const action = `?category=${encodeURIComponent(key)}&email=${isOn ? 'off' : 'on'}`
  return form(action, isOn ? words.stop : words.again, isOn ? 'quiet' : 'main')
}

const paragraph = (text: string) => html`<p>${text}</p>`

function form(action: string, label: string, look: 'main' | 'quiet'): Markup {
  return html`<form method="post" action="${action}"><button type="submit" class="${look}">${label}</button></form>`
}

function page({ lang, dir }: Chosen<EdgeWords>, title: string, content: Markup): Markup {
  return plainPage({ lang, dir, title, content })
}

/** The browser lists a few languages; a longer header is no browser's. */
const MAX_HEADER_CHARS = 500

/** @returns the languages of an `Accept-Language`, the most wanted first */
function readAccepted(header = ''): string[] {
  return header
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1)
      return { language: tag.split('-')[0] ?? '', weight: Number.isFinite(weight) ? weight : 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ language }) => language)
}
