// Renders the pages behind links of mails: unsubscribing, and an address that is not ours.

import type { MailSubscription, SubscriptionRow } from '../../flow/mail/follow-links.ts'
import { escapeText, plainPage } from '../site/plain-page.ts'
import { type LinkWords, linkWords } from './link-words.ts'

/** Of an address that nobody here has signed. */
export function brokenLinkPage(acceptLanguage: string | undefined): string {
  const { lang, words } = linkWords(acceptLanguage)
  const [title, text] = words.broken
  return page(lang, words, title, paragraph(text))
}

/** `asks`: nothing has changed yet; `off` and `on`: mail has just been turned off or on. */
export type PageState = 'asks' | 'off' | 'on'

export function subscriptionPage(
  found: MailSubscription,
  state: PageState,
  acceptLanguage: string | undefined,
): string {
  const { lang, words } = linkWords(acceptLanguage)
  if (typeof found === 'string') {
    const [title, text] = words[found]
    return page(lang, words, title, paragraph(text))
  }
  const [one, all] = state === 'on' ? [words.more, words.moreOfAll] : [words.noMore, words.noMoreOfAll]
  const { category } = found
  const text = paragraph(category === null ? all : one.replace('{}', () => category))
  if (state === 'asks') return page(lang, words, words.ask, text + form('?', words.stop, 'main'))
  if (state === 'off') return page(lang, words, words.done, text + form('?again=1', words.again, 'quiet'))
  return page(lang, words, words.back, text)
}

/** Each category with a button; `gone`: the message was removed. */
export function preferencesPage(found: SubscriptionRow[] | 'gone', acceptLanguage: string | undefined): string {
  const { lang, words } = linkWords(acceptLanguage)
  if (found === 'gone') return page(lang, words, words.gone[0], paragraph(words.gone[1]))
  const rows = found.map((row) => {
    const name = row.key === '' ? words.others : row.name
    return `<li><span>${escapeText(name)}</span>${row.critical ? `<small>${escapeText(words.always)}</small>` : switchOf(row, words)}</li>`
  })
  return page(lang, words, words.yours, `<ul>${rows.join('')}</ul>`)
}

function switchOf({ key, isOn }: SubscriptionRow, words: LinkWords): string {
  const action = `?category=${encodeURIComponent(key)}&email=${isOn ? 'off' : 'on'}`
  return form(escapeText(action), isOn ? words.stop : words.again, isOn ? 'quiet' : 'main')
}

const paragraph = (text: string) => `<p>${escapeText(text)}</p>`

function form(action: string, label: string, look: 'main' | 'quiet'): string {
  return `<form method="post" action="${action}"><button type="submit" class="${look}">${escapeText(label)}</button></form>`
}

function page(lang: string, { dir = 'ltr' }: LinkWords, title: string, content: string): string {
  return plainPage({ lang, dir, title, content })
}
