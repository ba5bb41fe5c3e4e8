// Installs a pseudo-language in place of Japanese, with brackets around each phrase: Latin text outside of brackets
// was not translated.

import type { Page } from 'playwright-core'

/** The locale that it replaces. */
export const PSEUDO = 'ja'

const bracketed = (phrase: unknown): unknown =>
  typeof phrase === 'string'
    ? `⟦${phrase}⟧`
    : Object.fromEntries(Object.entries(phrase as object).map(([form, text]) => [form, `⟦${text}⟧`]))
/** Installs the language before the page is loaded, and excludes the texts of messages. */
export async function installPseudoLanguage(page: Page): Promise<void> {
  await page.route(`**/lang-${PSEUDO}.js`, async (route) => {
    const response = await route.fetch()
    const { words } = (await import(`data:text/javascript,${encodeURIComponent(await response.text())}`)) as {
      words: Record<string, unknown>
    }
    const pseudo = Object.fromEntries(Object.entries(words).map(([key, phrase]) => [key, bracketed(phrase)]))
    await route.fulfill({ response, body: `export const words = ${JSON.stringify(pseudo)}` })
  })
  await page.addInitScript(keepOwnWords)
  await page.addInitScript(waitForWords)
}

/** Runs in the page: delays user actions until the language is loaded, because a script is faster than a person. */
function waitForWords(): void {
  const isSpoken = (center: Element): boolean => center.shadowRoot?.querySelector('[aria-label*="⟦"]') != null
  const hold = (event: Event): void => {
    const center = event.target as Element
    if (isSpoken(center)) return
    event.stopImmediatePropagation()
    const look = (): unknown =>
      isSpoken(center) ? center.dispatchEvent(new Event('nc-ready', { bubbles: true })) : setTimeout(look, 10)
    look()
  }
  document.addEventListener('nc-ready', hold, true)
}

/** Runs in the page: excludes titles, actions and categories, which belong to the site. */
function keepOwnWords(): void {
  const own = new Set<string>()
  Reflect.set(globalThis, 'ownWords', own)
  const keep = (messages: { title: string; category: string | null; actions: { label: string }[] }[]): void => {
    for (const { title, category, actions } of messages) {
      for (const word of [title, category, ...actions.map(({ label }) => label)]) if (word) own.add(word)
    }
  }
  for (const type of ['nc-ready', 'nc-counts', 'nc-arrive']) {
    document.addEventListener(type, ({ target }) => keep(Reflect.get(target as object, 'messages')))
  }
  document.addEventListener('nc-arrive', (event) => keep(Reflect.get(event, 'messages')))
  // The site chose the names of the categories.
  const plain = globalThis.fetch
  globalThis.fetch = async (...asked) => {
    const response = await plain(...asked)
    if (String(asked[0]).includes('/v1/inbox/preferences') && response.ok) {
      const { categories } = (await response.clone().json()) as { categories: { name: string }[] }
      for (const { name } of categories) own.add(name)
    }
    return response
  }
}

/** Runs in the page: lists the visible and accessible texts of the element that are not translated. */
export function readWords(): string[] {
  const shadow = document.querySelector('notification-center')?.shadowRoot
  const own = [...(Reflect.get(globalThis, 'ownWords') as Set<string>)].flatMap((word) => {
    // A category without a name is shown as its key.
    const read = word.replace(/[-_.]+/g, ' ')
    return [word, read.charAt(0).toLocaleUpperCase() + read.slice(1)]
  })
  own.sort((a, b) => b.length - a.length)
  const names = 'aria-label title placeholder alt aria-description aria-roledescription aria-valuetext label'.split(' ')
  const texts = [...(shadow?.querySelectorAll('*') ?? [])].flatMap((node) => {
    // Texts of messages, keys of the keyboard, codes, and time zones are equal in all languages.
    if (node.closest('.excerpt, .toast-body, .prose, kbd, .reference, option') !== null) return []
    const texts = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent ?? '')
    return [...texts, ...names.map((name) => node.getAttribute(name) ?? '')]
  })
  const without = (text: string): string =>
    own.reduce((rest, word) => rest.replaceAll(word, ''), text).replace(/⟦[^⟧]*⟧/g, '')
  if (!texts.some((text) => text.includes('⟦'))) return ['The language is not spoken.']
  return texts.filter((text) => /\p{Script=Latin}{2}/u.test(without(text)))
}
